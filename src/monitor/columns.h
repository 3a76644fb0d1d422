/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table with a column for each CPU: /proc/interrupts and /proc/softirqs. The first line names
 * the CPUs that have a column, each further line is a label, one count for each column, and
 * perhaps words. Columns are matched by that first line at each sample, so that a CPU which goes
 * takes no other's counts; its readings are missing (offline). Lines that come later are ignored.
 *
 * Each line has a channel for each CPU and one metric over all of them. On machines where that
 * would be more channels than a run should carry, a line has one channel: the running total of its
 * columns' steps, made here because single 32-bit counters that wrap cannot be told from their
 * sum.
 */
#pragma once

#include "monitor/cpus.h"
#include "monitor/monitor.h"
#include "monitor/source.h"

#include <stdbool.h>
#include <stdint.h>

#define COLUMNS_CHANNELS_MAX 16384U
#define COLUMNS_LINES_MAX 4096U
#define COLUMNS_LABEL_BYTES_MAX 32U
#define COLUMNS_NAME_BYTES_MAX 128U
#define COLUMNS_UNSEEN UINT64_MAX

struct columns_line {
	char *label;     /* "24:", as it stands in the file. Owned. */
	char *name;      /* Made by the namer. Owned. */
	uint32_t length; /* Of the label. */
	bool single;     /* One count that belongs to no CPU: ERR, MIS. */
	uint32_t first_channel;
	/* Only when struct columns says totals. */
	uint64_t total;     /* Steps so far. */
	uint64_t *previous; /* Last count of each slot, COLUMNS_UNSEEN before the first. Owned. */
};

struct columns {
	struct source source;
	struct cpus cpus;
	struct columns_line *lines; /* Owned. */
	uint32_t n_lines;
	bool totals;           /* One channel a line. */
	char *header;          /* First line as parsed last. Owned; as large as the source. */
	uint32_t header_bytes; /* Its length. */
	int *slots;            /* Slot of each column, -1 for a CPU without channels. Owned. */
	bool *online;          /* Of each slot. Owned. */
	uint32_t n_columns;
	uint32_t columns_max; /* Room in `slots`. */
};

/* Makes a line's metric name of its label (without the colon) and its words; at most `size` bytes
 * with the NUL. */
typedef void columns_name(const char *label, const char *words, char *name, size_t size);

/* Opens, learns CPUs and lines and declares them. Unavailable with the reason when it cannot be
 * read or holds no such table; nothing is held then. */
enum monitor_opened columns_open(struct columns *columns, struct monitor_setup *setup,
				 const char *path, columns_name *name, struct error *reason);
void columns_done(struct columns *columns);
void columns_sample(struct columns *columns, struct reading *readings);
