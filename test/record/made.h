/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record streams made for tests: written by wire.c into memory, or by hand frame by frame, and read
 * back in portions.
 */
#pragma once

#include "check.h"
#include "record/frame.h"
#include "record/stream.h"
#include "record/wire.h"

#define MADE_MEASURE_NS 1000000000ULL
#define MADE_STOP_NS 3000000000ULL

struct made {
	int fd;
	struct wire *wire;
	uint8_t *bytes; /* After made_close. */
	size_t length;
};

struct made made_open(void);
void made_close(struct made *made);
void made_hello(struct made *made);
void made_plain_rule(struct made *made, uint32_t monitor, const char *name, enum metric_kind kind,
		     const uint32_t *channel);
/* What stands before the measured window. */
void made_preface(struct made *made);
void made_sample(struct made *made, uint64_t at_ns, uint64_t count, double level);
void made_score(struct made *made, const char *name, struct value value);
/* A whole run: two workers (100 and 300 operations a second), a monitor with three samples, one
 * that is absent, scores in all three states. */
struct made made_whole(void);
void made_free(struct made *made);
/* Reads in portions of at most `portion` bytes. */
struct run *made_read(const uint8_t *bytes, size_t length, size_t portion, size_t *ret_skipped);
/* A frame by hand, so that what wire.c never writes can be made too. New block. */
uint8_t *made_frame(uint8_t type, uint8_t flags, const void *payload, uint32_t length,
		    size_t *ret_length);
/* Length of the intact frame at `at`. */
size_t made_frame_length(const uint8_t *at);
struct value made_value(const struct run *run, const char *name);

#define CHECK_KNOWN(run, name, want)                                                               \
	do {                                                                                       \
		const struct value value_ = made_value(run, name);                                 \
		CHECK_INT(value_.state, VALUE_KNOWN);                                              \
		CHECK_NEAR(value_.number, want, 1e-9);                                             \
	} while (0)

#define CHECK_MISSING(run, name, want)                                                             \
	do {                                                                                       \
		const struct value value_ = made_value(run, name);                                 \
		CHECK_INT(value_.state, VALUE_MISSING);                                            \
		CHECK_INT(value_.why, want);                                                       \
	} while (0)
