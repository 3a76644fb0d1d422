/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PCRE2 with a budget. Its own limits count afresh at each place in the line where a match may begin;
 * callouts in front of each item of the expression count over all of a reading. See pattern.h. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "intake/pattern.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH_MEMORY_KIB 4096 /* For going back in one match. */

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	uint32_t value, row, unit; /* Numbers of groups; 0 = there is none. */
};

void pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->context);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	free(pattern);
}

static int count_step(pcre2_callout_block *block, void *user)
{
	uint64_t *steps = user;
	if (*steps == 0)
		return PCRE2_ERROR_CALLOUT;
	(*steps)--;
	return 0;
}

static uint32_t group_named(const struct pattern *pattern, const char *name)
{
	const int number = pcre2_substring_number_from_name(pattern->code, (PCRE2_SPTR)name);
	return number > 0 ? (uint32_t)number : 0;
}

static int find_groups(struct pattern *pattern, const char *expression, struct error *err)
{
	uint32_t n = 0;
	(void)pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &n);
	pattern->value = group_named(pattern, "value");
	pattern->row = group_named(pattern, "row");
	pattern->unit = group_named(pattern, "unit");
	if (pattern->value)
		return 0;
	if (n - (pattern->row != 0) - (pattern->unit != 0) != 1)
		return error_set(err, EINVAL,
				 "'%s' has %u groups: put the number, and nothing else, in "
				 "parentheses, or name its group: (?<value>...)",
				 expression, n);
	for (pattern->value = 1; pattern->value == pattern->row || pattern->value == pattern->unit;)
		pattern->value++;
	return 0;
}

int pattern_compile(const char *expression, bool wants_value, struct pattern **ret_pattern,
		    struct error *err)
{
	AUTO(pattern) struct pattern *pattern = mem_zero(sizeof(*pattern));
	int code = 0;
	PCRE2_SIZE offset = 0;
	if (strlen(expression) > PATTERN_BYTES_MAX)
		return error_set(err, EINVAL, "the expression is longer than %d bytes",
				 PATTERN_BYTES_MAX);
	pattern->code =
		pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED,
			      PCRE2_AUTO_CALLOUT | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C, &code,
			      &offset, /* context= */ NULL);
	if (!pattern->code) {
		PCRE2_UCHAR why[128];
		if (pcre2_get_error_message(code, why, sizeof(why)) < 0)
			memcpy(why, "it cannot be read", sizeof("it cannot be read"));
		return error_set(err, EINVAL, "'%s' is no regular expression, character %zu: %s",
				 expression, offset + 1, (const char *)why);
	}
	pattern->data = pcre2_match_data_create_from_pattern(pattern->code, /* context= */ NULL);
	pattern->context = pcre2_match_context_create(/* context= */ NULL);
	if (!pattern->data || !pattern->context)
		return error_set(err, ENOMEM, "no memory for a regular expression");
	(void)pcre2_set_heap_limit(pattern->context, ENOUGH_MEMORY_KIB); /* It cannot fail. */
	const int failed = wants_value ? find_groups(pattern, expression, err) : 0;
	if (failed)
		return failed;
	*ret_pattern = KEEP(pattern);
	return 0;
}

bool pattern_has_row(const struct pattern *pattern)
{
	return pattern->row != 0;
}

bool pattern_has_unit(const struct pattern *pattern)
{
	return pattern->unit != 0;
}

static struct pattern_part part_of(const struct pattern *pattern, const char *line, uint32_t group,
				   int n_set)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->data);
	if (group == 0 || (int)group >= n_set || ends[(size_t)2 * group] == PCRE2_UNSET)
		return (struct pattern_part) { 0 };
	/* A look-behind can make a match that ends before it begins. */
	if (ends[2 * (size_t)group + 1] < ends[2 * (size_t)group])
		return (struct pattern_part) { 0 };
	return (struct pattern_part) { .at = line + ends[2 * (size_t)group],
				       .length = ends[2 * (size_t)group + 1] -
						 ends[2 * (size_t)group] };
}

int pattern_match(const struct pattern *pattern, const char *line, size_t length, uint64_t *steps,
		  struct pattern_match *match)
{
	if (length > PATTERN_LINE_BYTES_MAX)
		return 0;
	(void)pcre2_set_callout(pattern->context, count_step, steps); /* It cannot fail. */
	const int n_set = pcre2_match(pattern->code, (PCRE2_SPTR)line, length, /* start= */ 0,
				      /* options= */ 0, pattern->data, pattern->context);
	if (n_set == PCRE2_ERROR_NOMATCH)
		return 0;
	if (n_set < 0)
		return -ELOOP;
	assert(n_set > 0); /* The data has room for all groups. */
	if (match)
		*match = (struct pattern_match) {
			.value = part_of(pattern, line, pattern->value, n_set),
			.row = part_of(pattern, line, pattern->row, n_set),
			.unit = part_of(pattern, line, pattern->unit, n_set),
		};
	return 1;
}
