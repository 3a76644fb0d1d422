/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with a line for each row and numbers in columns: the disks of /proc/diskstats, the caches
 * of /proc/slabinfo, the interfaces of /proc/net/dev. The rows are learnt at the opening, in the
 * file's order; a sample compares each line with the row that is expected at this place, and
 * searches only when it is another one. Rows that come later are ignored; one that goes reads as
 * missing (absent), and so does a column that a line of this kernel does not have.
 */
#pragma once

#include "monitor/monitor.h"
#include "monitor/source.h"

#include <stdbool.h>
#include <stdint.h>

#define ROWED_ROWS_MAX 4096U
#define ROWED_COLUMNS_MAX 32U
#define ROWED_NAME_BYTES_MAX 96U

struct rowed_column {
	unsigned place;   /* 0 is the first number behind the row's name; words between numbers
			      * do not count. Ascending in a table. */
	const char *name; /* "read_ios"; NULL ends a table. */
	const char *unit;
	const char *what;
	enum metric_kind kind; /* METRIC_COUNTER or METRIC_GAUGE. */
	unsigned width_bits;   /* Of a counter: where the kernel's own variable wraps. */
};

/* What a line begins with: fills the row's name and returns the length of the beginning that later
 * lines are compared with (behind it stands a blank, or the first number); 0 when the line is no
 * row. `size` is ROWED_NAME_BYTES_MAX. */
typedef size_t rowed_name(const char *line, const char *end, char *name, size_t size);

struct rowed_plan {
	const char *path;
	rowed_name *name;
	const struct rowed_column *columns;
	bool column_first; /* "read_ios.sda"; else "kmalloc-64.num_objs". */
};

struct rowed_row {
	char *text; /* What its line begins with. Owned. */
	uint32_t length;
};

struct rowed {
	struct source source;
	const struct rowed_plan *plan;
	struct rowed_row *rows; /* Owned. */
	uint32_t n_rows;
	uint32_t n_columns; /* Of the plan's, those that the widest line has at the opening. A row's
			     * channels are its place times this, and so many behind. */
};

/* Opens, learns the rows and declares channels and metrics. `plan` is kept. Rows beyond what a
 * monitor can carry are left out, with all behind them. Unavailable with the reason when the file
 * cannot be read or has no such row; nothing is held then. */
enum monitor_opened rowed_open(struct rowed *rowed, struct monitor_setup *setup,
			       const struct rowed_plan *plan, struct error *reason);
void rowed_done(struct rowed *rowed);
void rowed_sample(struct rowed *rowed, struct reading *readings);

/* The three hooks of a monitor that is one such file; its state is a struct rowed of its own. */
enum monitor_opened rowed_hook_open(struct monitor_setup *setup, const struct rowed_plan *plan,
				    void **ret_state, struct error *reason);
void rowed_hook_sample(void *state, struct reading *readings);
void rowed_hook_close(void *state); /* NULL is allowed. */
