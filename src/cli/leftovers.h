/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that a crashed run left applied: every result is one of a machine that nobody asked for
 * until they are restored.
 */
#pragma once

/* The files that are still changed, with ", " between them; NULL when there are none. Looks into
 * the state directory and, for those who are not root, into the machine's too. New string. */
char *leftovers_find(void);

/* One line on standard error when there are any. */
void leftovers_warn(void);
