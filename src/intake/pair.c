/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base and head. See pair.h. */
#include "intake/pair.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAMES_LISTED_MAX 8
#define SIDE_NAME_MAX 32 /* Bytes; a longer one is told in a remark. */

struct time_unit {
	const char *name;
	double ns;
};

static const struct time_unit time_units[] = {
	{ "ns", 1 },    { "us", 1e3 },    { "\xc2\xb5s", 1e3 }, { "ms", 1e6 },   { "s", 1e9 },
	{ "ns/op", 1 }, { "us/op", 1e3 }, { "ms/op", 1e6 },     { "s/op", 1e9 }, { "sec/op", 1e9 },
};

void intake_pairs_free(struct intake_pairs *pairs)
{
	if (!pairs)
		return;
	for (size_t i = 0; i < pairs->n; i++)
		free(pairs->pairs[i].name);
	free(pairs->pairs);
	for (size_t i = 0; i < pairs->n_remarks; i++)
		free(pairs->remarks[i]);
	free(pairs->remarks);
	free(pairs->base_name);
	free(pairs->head_name);
	free(pairs);
}

static void remark(struct intake_pairs *pairs, char *text)
{
	size_t capacity = pairs->n_remarks; /* Few: grows by one. */
	pairs->remarks =
		mem_grow(pairs->remarks, &capacity, pairs->n_remarks + 1, sizeof(*pairs->remarks));
	pairs->remarks[pairs->n_remarks++] = text;
}

static bool is_wanted(const struct intake_series *series, const char *pattern)
{
	if (!pattern)
		return !series->restated;
	AUTO(text) char *both = mem_format("%s %s", series->name, series->unit);
	return text_matches(series->name, pattern) || text_matches(series->unit, pattern) ||
	       text_matches(both, pattern);
}

/* The wanted series of a document; how many. */
static size_t choose(const struct intake_document *document, const char *pattern,
		     const struct intake_series ***ret_chosen)
{
	const struct intake_series **chosen = mem_array(document->n_series + 1, sizeof(*chosen));
	size_t n = 0;
	for (size_t i = 0; i < document->n_series; i++)
		if (is_wanted(&document->series[i], pattern))
			chosen[n++] = &document->series[i];
	*ret_chosen = chosen;
	return n;
}

static const struct time_unit *find_time_unit(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(time_units); i++)
		if (strcmp(time_units[i].name, name) == 0)
			return &time_units[i];
	return NULL;
}

/* What takes numbers of one unit to another; 0 when nothing does. */
static double scale_between(const char *from, const char *to)
{
	if (strcmp(from, to) == 0)
		return 1.0;
	const struct time_unit *one = find_time_unit(from);
	const struct time_unit *other = find_time_unit(to);
	const bool alike = one && other && !strchr(from, '/') == !strchr(to, '/');
	return alike ? one->ns / other->ns : 0.0;
}

/* Not one number differs, and they are no constant: one measurement twice. */
static bool is_same(const struct intake_series *base, const struct intake_series *head)
{
	bool varies = false;
	if (base->n != head->n || base->n == 0)
		return false;
	const double first = base->values[0].value.number;
	for (size_t i = 0; i < base->n; i++) {
		const struct value one = base->values[i].value;
		const struct value other = head->values[i].value;
		if (one.state != other.state || one.number < other.number ||
		    one.number > other.number)
			return false;
		varies |= one.number < first || one.number > first;
	}
	return varies;
}

static int add_pair(struct intake_pairs *pairs, const char *name, const struct intake_series *base,
		    const struct intake_series *head, struct error *err)
{
	if (base->broken || head->broken)
		return error_set(err, EINVAL, "%s", base->broken ? base->broken : head->broken);
	const double scale = scale_between(head->unit, base->unit);
	if (!(scale > 0.0))
		return error_set(err, EINVAL,
				 "'%.60s' is in %.20s on one side and in %.20s on the other", name,
				 base->unit, head->unit);
	pairs->pairs =
		mem_grow(pairs->pairs, &pairs->capacity, pairs->n + 1, sizeof(*pairs->pairs));
	pairs->pairs[pairs->n++] = (struct intake_pair) {
		.name = mem_text(name),
		.unit = base->unit,
		.better = base->better,
		.base = base,
		.head = head,
		.head_scale = scale,
	};
	if (is_same(base, head))
		remark(pairs, mem_format("'%.60s' has the same numbers in the same order on both "
					 "sides: was one measurement given twice?",
					 name));
	return 0;
}

/* "'a', 'X ns/op' and 3 more". */
static void list_names(const struct intake_series *const *series, size_t n, struct text *text)
{
	for (size_t i = 0; i < n && i < NAMES_LISTED_MAX; i++) {
		const bool plain = strcmp(series[i]->unit, "1") == 0;
		text_add(text, "%s'%.40s%s%.20s'", i ? ", " : "", series[i]->name, plain ? "" : " ",
			 plain ? "" : series[i]->unit);
	}
	if (n > NAMES_LISTED_MAX)
		text_add(text, " and %zu more", n - NAMES_LISTED_MAX);
}

/* Numbers of columns say nothing to a reader, and long commands burst every table. */
static void name_sides(struct intake_pairs *pairs, const char *base, const char *head)
{
	const bool numbered = strcmp(base, "1") == 0 && strcmp(head, "2") == 0;
	const bool fits = strlen(base) <= SIDE_NAME_MAX && strlen(head) <= SIDE_NAME_MAX;
	const bool plain = !numbered && fits && strcmp(base, head) != 0;
	pairs->base_name = mem_text(plain ? base : "base");
	pairs->head_name = mem_text(plain ? head : "head");
	if (!plain && !numbered && strcmp(base, head) != 0)
		remark(pairs, mem_format("base is '%.150s', head is '%.150s'", base, head));
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static void name_sides_by_paths(struct intake_pairs *pairs, const char *base, const char *head)
{
	const bool differ = strcmp(last_part(base), last_part(head)) != 0;
	if (strcmp(base, head) == 0)
		remark(pairs, mem_format("both sides are one file, '%.150s': nothing can have "
					 "changed",
					 base));
	name_sides(pairs, differ ? last_part(base) : base, differ ? last_part(head) : head);
}

static bool is_order_reversed(const char *first, const char *second)
{
	return strcmp(first, "head") == 0 && strcmp(second, "base") == 0;
}

/* The known unit that a column's name ends in ("time (ms)", "time_ms"); NULL for none. */
static const char *unit_in_name(const char *name)
{
	static const char *const units[] = { "ns",    "us",   "\xc2\xb5s", "ms",    "s",
					     "sec",   "min",  "kb",        "mb",    "gb",
					     "kib",   "mib",  "gib",       "b",     "bytes",
					     "%",     "ops",  "cycles",    "ns/op", "us/op",
					     "ms/op", "s/op", "b/op",      "mb/s",  "ops/s" };
	const char *last = strpbrk(name, "([");
	if (!last)
		last = strrchr(name, '_');
	for (size_t i = 0; last && i < ARRAY_SIZE(units); i++) {
		const size_t n = strlen(units[i]);
		const char *end = last + 1 + strnlen(last + 1, n);
		const bool bare = *last == '_' && !*end;
		const bool bracketed = *last != '_' && (*end == ')' || *end == ']') && !end[1];
		if ((bare || bracketed) && strncasecmp(last + 1, units[i], n) == 0)
			return units[i];
	}
	return NULL;
}

/* Columns whose names give two units are no two sides of one thing. */
static int check_units_in_names(const struct intake_series *base, const struct intake_series *head,
				struct error *err)
{
	const char *one = unit_in_name(base->name);
	const char *other = unit_in_name(head->name);
	if (!one || !other || one == other)
		return 0;
	return error_set(err, EINVAL,
			 "'%.60s' and '%.60s' are in different units by their names; bring both to "
			 "one unit",
			 base->name, head->name);
}

static int pair_two_series(const struct intake_document *document,
			   const struct intake_series *first, const struct intake_series *second,
			   struct intake_pairs *pairs, struct error *err)
{
	if (first == second)
		return error_set(err, EINVAL,
				 "'%.60s' of %s is named as both sides; name two series",
				 first->name, document->path);
	const int failed = check_units_in_names(first, second, err);
	if (failed)
		return failed;
	name_sides(pairs, first->name, second->name);
	const char *measure = document->format->holds_sides;
	return add_pair(pairs, measure ? measure : first->name, first, second, err);
}

static int find_named(const struct intake_document *document, const char *name,
		      const struct intake_series **ret_series, struct error *err)
{
	*ret_series = intake_series_find(document, name);
	for (size_t i = 0; i < document->n_series && !*ret_series; i++) {
		const struct intake_series *series = &document->series[i];
		AUTO(text) char *full = mem_format("%s %s", series->name, series->unit);
		if (strcmp(full, name) == 0)
			*ret_series = series;
	}
	if (*ret_series)
		return 0;
	AUTO(text_buffer) struct text names = { 0 };
	const struct intake_series **all;
	const size_t n = choose(document, "*", &all);
	list_names(all, n, &names);
	free(all);
	return error_set(err, EINVAL, "%s has no series '%.60s', only %s", document->path, name,
			 text_string(&names));
}

static int pair_named(const struct intake_document *document,
		      const struct intake_pair_options *options, struct intake_pairs *pairs,
		      struct error *err)
{
	const struct intake_series *base;
	const struct intake_series *head;
	int failed = find_named(document, options->base, &base, err);
	if (!failed)
		failed = find_named(document, options->head, &head, err);
	return failed ? failed : pair_two_series(document, base, head, pairs, err);
}

/* The series of the other side that measures the same. */
static const struct intake_series *find_partner(const struct intake_series *const *series, size_t n,
						const struct intake_series *of)
{
	const struct intake_series *near = NULL;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(series[i]->name, of->name) != 0)
			continue;
		if (strcmp(series[i]->unit, of->unit) == 0)
			return series[i];
		if (scale_between(series[i]->unit, of->unit) > 0.0)
			near = series[i];
	}
	return near;
}

/* A benchmark with several measures is told apart by their units. */
static char *full_name(const struct intake_series *const *series, size_t n,
		       const struct intake_series *one)
{
	for (size_t i = 0; i < n; i++)
		if (series[i] != one && strcmp(series[i]->name, one->name) == 0)
			return mem_format("%s %s", one->name, one->unit);
	return mem_text(one->name);
}

struct chosen { /* The series of both sides. */
	const struct intake_series **base, **head;
	size_t n_base, n_head;
};

static int pair_by_name(const struct chosen *chosen, struct intake_pairs *pairs, struct error *err)
{
	size_t alone = 0;
	for (size_t i = 0; i < chosen->n_base; i++) {
		const struct intake_series *base = chosen->base[i];
		const struct intake_series *head = find_partner(chosen->head, chosen->n_head, base);
		alone += !head;
		if (!head)
			continue;
		AUTO(text) char *name = full_name(chosen->base, chosen->n_base, base);
		const int failed = add_pair(pairs, name, base, head, err);
		if (failed)
			return failed;
	}
	alone += chosen->n_head - pairs->n;
	if (pairs->n && alone)
		remark(pairs, mem_format("%zu series stand%s on one side only and %s left out",
					 alone, alone == 1 ? "s" : "", alone == 1 ? "is" : "are"));
	if (pairs->n)
		return 0;
	AUTO(text_buffer) struct text names = { 0 };
	list_names(chosen->base, chosen->n_base, &names);
	text_add(&names, " against ");
	list_names(chosen->head, chosen->n_head, &names);
	return error_set(err, EINVAL, "the sides have no series in common: %.400s",
			 text_string(&names));
}

/* Splits the series of one document by the first two groups. True when there are exactly two. */
static bool split_groups(const struct intake_series *const *series, size_t n, struct chosen *chosen)
{
	for (size_t i = 0; i < n; i++) {
		const char *group = series[i]->group;
		if (!group)
			return false;
		if (chosen->n_base == 0 || strcmp(chosen->base[0]->group, group) == 0)
			chosen->base[chosen->n_base++] = series[i];
		else if (chosen->n_head == 0 || strcmp(chosen->head[0]->group, group) == 0)
			chosen->head[chosen->n_head++] = series[i];
		else
			return false;
	}
	return chosen->n_base > 0 && chosen->n_head > 0;
}

static int pair_groups(struct chosen *chosen, struct intake_pairs *pairs, struct error *err)
{
	if (is_order_reversed(chosen->base[0]->group, chosen->head[0]->group))
		*chosen = (struct chosen) { .base = chosen->head,
					    .head = chosen->base,
					    .n_base = chosen->n_head,
					    .n_head = chosen->n_base };
	name_sides(pairs, chosen->base[0]->group, chosen->head[0]->group);
	return pair_by_name(chosen, pairs, err);
}

/* Why a series may be absent that the reader of the message expects. */
static void add_remarks(const struct intake_document *document, struct text *text)
{
	for (size_t i = 0; i < document->n_remarks; i++)
		text_add(text, "; %.200s", document->remarks[i]);
}

static int refuse_one(const struct intake_document *document,
		      const struct intake_series *const *series, size_t n, struct error *err)
{
	if (n == 0)
		return error_set(err, EINVAL, "%s has no series of that name", document->path);
	AUTO(text_buffer) struct text remarks = { 0 };
	add_remarks(document, &remarks);
	if (n == 1)
		return error_set(
			err, EINVAL,
			"%s (read as %s) holds one series, '%.60s', and a comparison takes "
			"two: give a second file%.400s",
			document->path, document->format->name, series[0]->name,
			text_string(&remarks));
	AUTO(text_buffer) struct text names = { 0 };
	list_names(series, n, &names);
	return error_set(
		err, EINVAL,
		"%s (read as %s) holds %zu series, %.300s: give a second file, or say which "
		"two with --sides BASE,HEAD",
		document->path, document->format->name, n, text_string(&names));
}

static int pair_one(const struct intake_document *document,
		    const struct intake_pair_options *options, struct intake_pairs *pairs,
		    struct error *err)
{
	if (options->base)
		return pair_named(document, options, pairs, err);
	const struct intake_series **series;
	const size_t n = choose(document, options->metric, &series);
	struct chosen chosen = { .base = mem_array(n + 1, sizeof(*series)),
				 .head = mem_array(n + 1, sizeof(*series)) };
	int failed;
	if (split_groups(series, n, &chosen)) {
		failed = pair_groups(&chosen, pairs, err);
	} else if (n == 2 && document->format->holds_sides) {
		const bool reversed = is_order_reversed(series[0]->name, series[1]->name);
		failed = pair_two_series(document, series[reversed], series[!reversed], pairs, err);
	} else {
		failed = refuse_one(document, series, n, err);
	}
	free(chosen.base);
	free(chosen.head);
	free(series);
	return failed;
}

/* The name says only which side it is, or how the file is called, not what was measured. */
static bool is_plain_name(const struct intake_document *document,
			  const struct intake_series *series)
{
	static const char *const plain[] = { "base",  "head",     "old",     "new",  "before",
					     "after", "baseline", "patched", "value" };
	const char *name = series->name;
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (strcasecmp(name, plain[i]) == 0)
			return true;
	if (!name[strspn(name, "0123456789")])
		return true; /* The number of a column. */
	const char *file = last_part(document->path);
	const size_t n = strlen(name);
	return strncmp(file, name, n) == 0 && (!file[n] || file[n] == '.');
}

/* What hyperfine measures is always the time; its names are those of the commands, thus of sides. */
static bool is_command(const struct intake_document *document)
{
	return document->format == &intake_hyperfine;
}

/* One series each: whatever they are called if the names say nothing of what was measured. */
static int pair_single(const struct intake_document *documents[static 2],
		       const struct chosen *chosen, struct intake_pairs *pairs, struct error *err)
{
	const struct intake_series *base = chosen->base[0];
	const struct intake_series *head = chosen->head[0];
	const bool same = strcmp(base->name, head->name) == 0;
	const bool plain = is_plain_name(documents[0], base) || is_plain_name(documents[1], head) ||
			   (is_command(documents[0]) && is_command(documents[1]));
	if (same || plain)
		return add_pair(pairs, same ? base->name : "value", base, head, err);
	AUTO(text_buffer) struct text names = { 0 };
	list_names(&base, 1, &names);
	text_add(&names, " against ");
	list_names(&head, 1, &names);
	return error_set(
		err, EINVAL,
		"the sides measure different things by their names: %.400s; if they do not, "
		"give both the same name",
		text_string(&names));
}

static int pair_two(const struct intake_document *first, const struct intake_document *second,
		    const struct intake_pair_options *options, struct intake_pairs *pairs,
		    struct error *err)
{
	struct chosen chosen = { 0 };
	chosen.n_base = choose(first, options->metric, &chosen.base);
	chosen.n_head = choose(second, options->metric, &chosen.head);
	name_sides_by_paths(pairs, first->path, second->path);
	int failed;
	if (chosen.n_base == 1 && chosen.n_head == 1) {
		const struct intake_document *documents[] = { first, second };
		failed = pair_single(documents, &chosen, pairs, err);
	} else if (chosen.n_base == 0 || chosen.n_head == 0) {
		failed = error_set(err, EINVAL, "%s has no series of that name",
				   chosen.n_base ? second->path : first->path);
	} else {
		failed = pair_by_name(&chosen, pairs, err);
	}
	free(chosen.base);
	free(chosen.head);
	return failed;
}

int intake_pair_up(const struct intake_document *first, const struct intake_document *second,
		   const struct intake_pair_options *options, struct intake_pairs **ret_pairs,
		   struct error *err)
{
	AUTO(intake_pairs) struct intake_pairs *pairs = mem_zero(sizeof(*pairs));
	const int failed = second ? pair_two(first, second, options, pairs, err)
				  : pair_one(first, options, pairs, err);
	if (failed)
		return failed;
	*ret_pairs = KEEP(pairs);
	return 0;
}
