/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations in whole numbers throughout: 0.1s is 100 ms and not nearly so. See duration.h. */
#include "experiment/duration.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define FRACTION_DIGITS_MAX 9

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "us", NS_PER_US },      { "ms", NS_PER_MS },        { "s", NS_PER_SEC },
	{ "m", 60 * NS_PER_SEC }, { "min", 60 * NS_PER_SEC }, { "h", 3600 * NS_PER_SEC },
};

/* Behind the point: `parts` of `whole`. */
static bool read_fraction(const char **at, uint64_t *ret_parts, uint64_t *ret_whole)
{
	const char *start = *at;
	if (!text_scan_u64(at, start + strlen(start), ret_parts) ||
	    *at - start > FRACTION_DIGITS_MAX)
		return false;
	*ret_whole = 1;
	for (const char *digit = start; digit < *at; digit++)
		*ret_whole *= 10;
	return true;
}

static bool read_parts(const char *text, uint64_t *ret_ns)
{
	const char *at = text;
	uint64_t number;
	uint64_t parts = 0;
	uint64_t whole = 1;
	if (!text_scan_u64(&at, text + strlen(text), &number))
		return false;
	if (*at == '.') {
		at++;
		if (!read_fraction(&at, &parts, &whole))
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!text_equal(at, units[i].name))
			continue;
		if (number > DURATION_NS_MAX / units[i].ns)
			return false;
		/* At most 10^9 parts of at most 3.6 * 10^12 ns: below 2^63 when divided first. */
		const uint64_t unit_us = units[i].ns / NS_PER_US;
		*ret_ns = number * units[i].ns + unit_us * parts / whole * NS_PER_US +
			  unit_us * parts % whole * NS_PER_US / whole;
		return true;
	}
	return false;
}

int duration_parse(const char *text, uint64_t *ret_ns, struct error *err)
{
	uint64_t ns;
	if (!read_parts(text, &ns))
		return error_set(err, EINVAL, "'%s' is no duration such as 500ms, 1s or 2m", text);
	if (ns > DURATION_NS_MAX)
		return error_set(err, EINVAL, "'%s' is longer than a year", text);
	*ret_ns = ns;
	return 0;
}
