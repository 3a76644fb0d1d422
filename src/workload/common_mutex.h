/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One mutex in memory of the harness: threads share it; a process has its own copy, which nobody
 * contends.
 */
#pragma once

#include "workload/workload.h"

#include <pthread.h>

struct common_mutex { /* work_shared(). */
	pthread_mutex_t mutex;
	unsigned long count; /* Behind the mutex. */
};

int common_mutex_prepare(struct work *work, struct error *err);
void common_mutex_retire(struct work *work);
