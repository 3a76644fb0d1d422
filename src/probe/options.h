/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of assay-probe, checked. */
#pragma once

#include "base/error.h"
#include "monitor/monitor.h"
#include "probe/instances.h"
#include "probe/isolation.h"
#include "workload/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum options_wish {
	WISH_RUN,
	WISH_HELP,
	WISH_VERSION,
	WISH_LIST,
};

/* Texts are borrowed from argv; arrays are owned. */
struct options {
	enum options_wish wish;
	const struct workload *workload;
	struct work_argument *settings; /* Names are owned: they end at the '='. */
	size_t n_settings;
	const struct monitor **monitors; /* Each once, in the order of the command line. */
	size_t n_monitors;
	const char **joins;
	size_t n_joins;
	uint64_t interval_ns;
	uint64_t time_limit_ns; /* 0 = none. */
	bool has_time_limit;    /* It was given. */
	int fd;
	const char *root;
	enum isolation_choice isolation;
	struct instances_wish instances;
	bool has_instances; /* They were wished for. */
	bool with_environment;
};

/* -EINVAL when the command line is wrong; the sentence says what and what is allowed. */
int options_parse(int argc, char *const *argv, struct options *ret_options, struct error *err);
void options_done(struct options *options);

void options_help(FILE *to);
void options_list(FILE *to); /* Workloads and monitors, one a line. */
