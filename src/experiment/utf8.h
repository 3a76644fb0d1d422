/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Well-formed UTF-8 (RFC 3629): files are refused where they are not, and plans are kept as JSON,
 * which knows nothing else.
 */
#pragma once

#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that begins at `at`, of which `left` are there; 0 when it is none. */
size_t utf8_length(const char *at, size_t left) PURE;

bool utf8_is_valid(const char *text) PURE;
