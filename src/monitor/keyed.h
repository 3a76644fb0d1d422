/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of lines "key value": /proc/vmstat, /proc/meminfo and their like of each node. The keys
 * are learnt at the opening, in the file's order. A sample compares each line with the key that is
 * expected at this place, which is nearly always right, and searches only when it is not. Keys that
 * come later are ignored; one that goes reads as missing (absent).
 */
#pragma once

#include "monitor/monitor.h"
#include "monitor/source.h"

#include <stdbool.h>
#include <stdint.h>

#define KEYED_KEYS_MAX 1000U
#define KEYED_NAME_BYTES_MAX 96U

struct key {
	char *name;      /* "MemFree". Owned. */
	char *text;      /* What its line begins with: "Node 0 MemFree:". Owned. */
	uint32_t length; /* Of the text. */
	bool kib;        /* The value is followed by "kB". */
	bool counter;    /* Set by keyed_declare. */
	bool switched;   /* One that vm.numa_stat governs; set by whoever opened the file. */
};

struct keyed {
	struct source source;
	struct key *keys; /* Owned. */
	uint32_t n_keys;
	uint32_t first_channel; /* Set by keyed_declare; a key's channel is this plus its place. */
};

/* Opens the file and learns its keys. `before` is what stands in front of each key ("Node 0 " or
 * ""), `separator` what ends it. Lines that are not so are passed over, of a key that comes twice
 * the first counts. 0 or -errno with the reason; nothing is held then. */
int keyed_open(struct keyed *keyed, int root_fd, const char *path, const char *before,
	       char separator, struct error *err) NODISCARD;
void keyed_done(struct keyed *keyed);

/* What a key means: fills unit, kind (METRIC_COUNTER or METRIC_GAUGE) and what; the rest is set. */
typedef void keyed_describe(const struct key *key, struct metric *metric);

/* Declares a channel and a metric for each key, named prefix + key ("node0." + "MemFree"). */
void keyed_declare(struct keyed *keyed, struct monitor_setup *setup, const char *prefix,
		   keyed_describe *describe);

/* Reads the file and fills the readings of its channels; `readings` is the monitor's whole
 * array. */
void keyed_sample(struct keyed *keyed, struct reading *readings);

/* Place of a key, or -1. `expected` is looked at first. */
int keyed_find(const struct keyed *keyed, const char *name, uint32_t expected);
