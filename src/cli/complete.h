/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may stand at the cursor of a command line, from the rows and the store.
 */
#pragma once

#include <stddef.h>

/* Prints one candidate a line for word number `cursor` (0 is the program) of the line. Never fails
 * and never prints an error. */
void complete_print(const char *const *words, size_t n_words, size_t cursor);
