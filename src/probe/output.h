/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the workload prints: standard output and error go to a file in memory, which never blocks the
 * writer and costs it what a pipe would at most; after the run it becomes the stream's log.
 */
#pragma once

#include "base/error.h"
#include "record/wire.h"

#define OUTPUT_HEAD_BYTES (64U << 10) /* Kept of the beginning and of the end when there is more. */
#define OUTPUT_TAIL_BYTES (192U << 10)

/* Makes the file. */
int output_new(int *ret_fd, struct error *err);

/* Redirects descriptors 1 and 2 into it; 0 then gives an end of file. */
int output_capture(int fd, struct error *err);

/* Gives the memory back of what output_send would leave out: a program that prints without end
 * shall not fill the machine. To be called now and then, from any process. */
void output_trim(int fd);

/* Writes what was printed as log frames. 0 or -errno. */
int output_send(int fd, struct wire *wire);
