/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options as rows of a table, over getopt_long. See options.h. */
#include "cli/options.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "record/alpha.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 64
#define LONG_VALUE 256 /* The first row's; no letter is so large. */

struct table { /* The rows in getopt_long's own form. */
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 2];
	size_t n;
};

static void make_table(struct table *table, const struct option_row *rows)
{
	size_t at = 0;
	*table = (struct table) { 0 };
	table->shorts[at++] = ':'; /* Tells a missing value from an unknown option. */
	for (; rows[table->n].name; table->n++) {
		assert(table->n < OPTIONS_MAX);
		const struct option_row *row = &rows[table->n];
		table->longs[table->n] = (struct option) {
			.name = row->name,
			.has_arg = row->value ? required_argument : no_argument,
			/* Each its own: getopt_long takes beginnings of options with the same value
			 * for the same option, and the first one of them. */
			.val = LONG_VALUE + (int)table->n,
		};
		if (!row->letter)
			continue;
		table->shorts[at++] = row->letter;
		if (row->value)
			table->shorts[at++] = ':';
	}
}

static const struct option_row *find_letter(const struct option_row *rows, int letter)
{
	for (; rows->name; rows++)
		if (rows->letter == letter)
			return rows;
	return NULL;
}

/* "--store, --subject, --seed": the options that begin so, when there is more than one. */
static size_t list_beginnings(const struct option_row *rows, const char *name,
			      struct text *ret_list)
{
	size_t n = 0;
	for (; rows->name; rows++) {
		if (!text_starts_with(rows->name, name))
			continue;
		text_add(ret_list, "%s'--%s'", n ? ", " : "", rows->name);
		n++;
	}
	return n;
}

/* The sentence for an option that getopt_long refused. `word` is the argument it stood in. */
static int refuse(const struct option_row *rows, const struct table *table, const char *word,
		  struct error *err)
{
	if (text_starts_with(word, "--")) {
		AUTO(text) char *name = mem_text(word + 2);
		name[strcspn(name, "=")] = '\0';
		const char *names[OPTIONS_MAX];
		for (size_t i = 0; i < table->n; i++) {
			names[i] = rows[i].name;
			if (strcmp(names[i], name) == 0)
				return error_set(err, EINVAL, "option '--%s' takes no value", name);
		}
		struct text beginnings = { 0 };
		const size_t n = list_beginnings(rows, name, &beginnings);
		if (n > 1)
			(void)error_set(err, EINVAL, "option '--%s' is ambiguous: %s", name,
					text_string(&beginnings));
		text_done(&beginnings);
		if (n > 1)
			return -EINVAL;
		const char *near = text_nearest(name, names, table->n);
		return error_set(err, EINVAL, "unknown option '--%s'%s%s%s", name,
				 near ? ", did you mean '--" : "", near ? near : "",
				 near ? "'?" : "");
	}
	return error_set(err, EINVAL, "unknown option '-%c'", optopt);
}

static void add_option(struct parsed *parsed, const struct option_row *row, const char *value)
{
	parsed->options[parsed->n_options++] =
		(struct option_given) { .row = row, .value = row->value ? value : NULL };
}

int options_parse(const struct option_row *rows, int argc, char **argv, struct parsed **ret_parsed,
		  struct error *err)
{
	struct table table;
	make_table(&table, rows);
	AUTO(parsed) struct parsed *parsed = mem_zero(sizeof(*parsed));
	parsed->options = mem_array((size_t)argc + 1, sizeof(*parsed->options));
	parsed->words = mem_array((size_t)argc + 1, sizeof(*parsed->words));
	opterr = 0;
	optind = 0; /* Starts getopt_long afresh. */
	for (;;) {
		const int letter = getopt_long(argc, argv, table.shorts, table.longs,
					       /* longindex= */ NULL);
		if (letter == -1)
			break;
		if (letter == ':')
			return error_set(err, EINVAL, "option '%s' needs a value",
					 argv[optind - 1]);
		if (letter == '?')
			return refuse(rows, &table,
				      optopt > 0 && optopt < LONG_VALUE ? "-" : argv[optind - 1],
				      err);
		const struct option_row *row = letter < LONG_VALUE ? find_letter(rows, letter)
								   : &rows[letter - LONG_VALUE];
		assert(row);
		add_option(parsed, row, optarg);
	}
	for (int i = optind; i < argc; i++)
		parsed->words[parsed->n_words++] = argv[i];
	*ret_parsed = KEEP(parsed);
	return 0;
}

void options_free(struct parsed *parsed)
{
	if (!parsed)
		return;
	free(parsed->options);
	free(parsed->words);
	free(parsed);
}

static const struct option_given *find(const struct parsed *parsed, const char *name)
{
	for (size_t i = parsed->n_options; i > 0; i--)
		if (strcmp(parsed->options[i - 1].row->name, name) == 0)
			return &parsed->options[i - 1];
	return NULL;
}

bool options_has(const struct parsed *parsed, const char *name)
{
	return find(parsed, name) != NULL;
}

const char *options_value(const struct parsed *parsed, const char *name)
{
	const struct option_given *given = find(parsed, name);
	return given ? given->value : NULL;
}

int options_number(const struct parsed *parsed, const char *name, uint64_t min, uint64_t max,
		   uint64_t *ret_number, struct error *err)
{
	const char *value = options_value(parsed, name);
	uint64_t number;
	if (!value)
		return 0;
	if (!text_parse_u64(value, &number))
		return error_set(err, EINVAL, "option '--%s' needs a whole number, not '%s'", name,
				 value);
	if (number < min || number > max)
		return error_set(err, EINVAL,
				 "option '--%s' must be between %llu and %llu, not '%s'", name,
				 (unsigned long long)min, (unsigned long long)max, value);
	*ret_number = number;
	return 0;
}

int options_decimal(const struct parsed *parsed, const char *name, double max, double *ret_number,
		    struct error *err)
{
	const char *value = options_value(parsed, name);
	double number;
	if (!value)
		return 0;
	if (!text_parse_f64(value, &number) || number <= 0 || number > max)
		return error_set(err, EINVAL,
				 "option '--%s' needs a number above 0 and up to %g, not '%s'",
				 name, max, value);
	*ret_number = number;
	return 0;
}

int options_alpha(const struct parsed *parsed, const char *name, double *ret_alpha,
		  struct error *err)
{
	const char *value = options_value(parsed, name);
	double alpha;
	if (!value)
		return 0;
	if (!text_parse_f64(value, &alpha) || alpha < ALPHA_LEAST || alpha > ALPHA_MOST)
		return error_set(err, EINVAL, "option '--%s' needs a rate from %g to %g, not '%s'",
				 name, ALPHA_LEAST, ALPHA_MOST, value);
	*ret_alpha = alpha;
	return 0;
}

int options_duration(const struct parsed *parsed, const char *name, uint64_t *ret_ns,
		     struct error *err)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = { { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 }, { "", 1e9 } };
	const char *value = options_value(parsed, name);
	if (!value)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!text_ends_with(value, units[i].suffix))
			continue;
		const size_t length = strlen(value) - strlen(units[i].suffix);
		AUTO(text) char *digits = mem_text_n(value, length);
		double number;
		if (text_parse_f64(digits, &number) && number >= 0 && number * units[i].ns < 1e18) {
			*ret_ns = (uint64_t)(number * units[i].ns);
			return 0;
		}
	}
	return error_set(err, EINVAL,
			 "option '--%s' needs a duration like 500ms, 2s or 3m, not '%s'", name,
			 value);
}
