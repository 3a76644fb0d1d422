/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kills all descendants of the calling process, found through /proc. It needs a calling process that
 * adopts its orphans (PR_SET_CHILD_SUBREAPER or pid 1). Only system calls: it may run in a signal
 * handler.
 */
#pragma once

/* Kills and reaps until none is left, or until ten seconds have passed (a task in uninterruptible
 * sleep cannot be killed). The number that was left: 0 is success. */
unsigned descendants_kill(void);
