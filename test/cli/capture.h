/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a function writes to standard output or standard error, as text.
 */
#pragma once

#include <stdio.h>

/* Calls act(user) while the stream goes to a file; what it wrote. New string. */
char *capture(FILE *stream, void (*act)(void *user), void *user);

/* Calls act(user) while the stream goes to a file or device that is there. */
void capture_into(const char *path, FILE *stream, void (*act)(void *user), void *user);
