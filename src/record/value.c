/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The three states of a number, packed and in words. See value.h. */
#include "record/value.h"

#include "base/macros.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/* A quiet NaN with a clear payload; our own NaNs differ from it only in the low 16 bits. */
#define PACKED_NAN 0x7ff8000000000000ULL
#define PACKED_LOW 0xffffULL

static const char *const missing_texts[] = {
	[MISSING_NOT] = "not missing",           [MISSING_ABSENT] = "absent",
	[MISSING_DENIED] = "permission denied",  [MISSING_UNREADABLE] = "unreadable",
	[MISSING_MALFORMED] = "malformed",       [MISSING_OFFLINE] = "offline",
	[MISSING_BACKWARDS] = "ran backwards",   [MISSING_UNSAMPLED] = "too few samples",
	[MISSING_SWITCHED_OFF] = "switched off", [MISSING_TORN] = "record torn",
	[MISSING_FAILED] = "run failed",         [MISSING_NO_LOADER] = "no loader",
	[MISSING_UNSETTLED] = "still moving",
};

static_assert(ARRAY_SIZE(missing_texts) == MISSING_COUNT, "each reason has its words");

const char *missing_text(enum missing why)
{
	return why < MISSING_COUNT ? missing_texts[why] : "unknown reason";
}

uint64_t value_pack(struct value value)
{
	/* A number that is none must not travel as one, whoever made it. */
	if (value.state == VALUE_KNOWN && !isfinite(value.number))
		value = value_missing(MISSING_MALFORMED);
	if (value.state == VALUE_KNOWN) {
		uint64_t packed;
		memcpy(&packed, &value.number, sizeof(packed));
		return packed;
	}
	assert(value.state < VALUE_STATE_COUNT);
	assert(value.why < MISSING_COUNT);
	return PACKED_NAN | (uint64_t)value.state << 8 | (uint64_t)value.why;
}

struct value value_unpack(uint64_t packed)
{
	double number;
	memcpy(&number, &packed, sizeof(number));
	if (isfinite(number))
		return value_known(number);
	const uint64_t state = packed >> 8 & 0xff;
	const uint64_t why = packed & 0xff;
	const bool ours = (packed & ~PACKED_LOW) == PACKED_NAN;
	if (ours && state == VALUE_NOT_APPLICABLE && why == MISSING_NOT)
		return value_not_applicable();
	if (ours && state == VALUE_MISSING && why != MISSING_NOT && why < MISSING_COUNT)
		return value_missing((enum missing)why);
	return value_missing(MISSING_MALFORMED);
}

enum missing missing_from_errno(int code)
{
	switch (code) {
	case ENOENT:
	case ENOTDIR:
	case ENODEV:
	case ENXIO:
		return MISSING_ABSENT;
	case EACCES:
	case EPERM:
		return MISSING_DENIED;
	case EOPNOTSUPP: /* The kernel's answer for pressure files when psi=0. */
		return MISSING_SWITCHED_OFF;
	default:
		return MISSING_UNREADABLE;
	}
}
