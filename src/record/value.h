/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number of a run in one of three states: known, missing (with the reason), not applicable. A
 * reading that could not be had is never 0, and a 0 that was read is never missing; every layer up
 * to the last column keeps the three apart.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum value_state {
	VALUE_KNOWN,
	VALUE_MISSING,
	VALUE_NOT_APPLICABLE, /* The number has no meaning here: per_thread_ops of a run with
				 processes. */
	VALUE_STATE_COUNT,
};

/* Why a value is missing. Numbers are part of the wire and store formats: only append. */
enum missing {
	MISSING_NOT = 0,        /* It is not. */
	MISSING_ABSENT = 1,     /* The file, key or column is not there. */
	MISSING_DENIED = 2,     /* Permission. */
	MISSING_UNREADABLE = 3, /* The read failed for another reason. */
	MISSING_MALFORMED = 4,  /* It was read and makes no sense. */
	MISSING_OFFLINE = 5,    /* The CPU or node was offline. */
	MISSING_BACKWARDS = 6,  /* A counter ran backwards and it was not a wrap. */
	MISSING_UNSAMPLED =
		7, /* Fewer than two samples of a counter, or none of a gauge, in the window. */
	MISSING_SWITCHED_OFF =
		8,        /* The kernel has the counter but it is switched off (vm.numa_stat=0). */
	MISSING_TORN = 9, /* The record stream ended before it came. */
	MISSING_FAILED = 10,    /* The run failed before it could be taken. */
	MISSING_NO_LOADER = 11, /* Needs a helper that this place does not have. */
	MISSING_UNSETTLED = 12, /* It was still moving when the window ended. */
	MISSING_COUNT,
};

struct value {
	enum value_state state;
	enum missing why; /* MISSING_NOT unless state is VALUE_MISSING. */
	double number;    /* Only when VALUE_KNOWN; finite. */
};

static inline struct value value_known(double number)
{
	return (struct value) { .state = VALUE_KNOWN, .number = number };
}

static inline struct value value_missing(enum missing why)
{
	return (struct value) { .state = VALUE_MISSING, .why = why };
}

static inline struct value value_not_applicable(void)
{
	return (struct value) { .state = VALUE_NOT_APPLICABLE };
}

static inline bool value_is_known(struct value value)
{
	return value.state == VALUE_KNOWN;
}

/* "absent", "permission denied", ...: words for people. */
const char *missing_text(enum missing why);

/* The 8 bytes that stand for a value in a packed row: the float64 itself when known; otherwise a
 * quiet NaN whose low 16 bits hold state and reason, so that a packed row keeps all three states. A
 * NaN of any other making unpacks as missing (malformed). */
uint64_t value_pack(struct value value);
struct value value_unpack(uint64_t packed);

/* Missing for the reason that an errno from open or read gives. */
enum missing missing_from_errno(int code);
