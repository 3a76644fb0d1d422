/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of single pieces: names, values, settings. See check.h; what holds between pieces is
 * in check_whole.c. */
#include "experiment/check.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/machine.h"
#include "experiment/utf8.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define INTERVAL_NS_MAX (3600 * NS_PER_SEC)
#define TIME_LIMIT_NS_MIN NS_PER_SEC
#define TIME_LIMIT_NS_MAX (7 * 24 * 3600 * NS_PER_SEC)
#define INSTANCES_MAX 1024
#define WORDS_MAX 64

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

/* Consists of letters, digits and the other characters. */
static bool holds_only(const char *text, const char *others)
{
	for (; *text; text++)
		if (!strchr(letters, *text) && !strchr(digits, *text) && !strchr(others, *text))
			return false;
	return true;
}

int check_unknown(const char *what, const char *word, const char *const *words, size_t n,
		  struct error *err)
{
	const char *near = text_nearest(word, words, n);
	if (near)
		return error_set(err, EINVAL, "unknown %s '%s', did you mean '%s'?", what, word,
				 near);
	struct text known AUTO(text_buffer) = { 0 };
	for (size_t i = 0; i < n; i++)
		text_add(&known, "%s%s", i > 0 ? ", " : "", words[i]);
	return error_set(err, EINVAL, "unknown %s '%s', known are %s", what, word,
			 text_string(&known));
}

int check_name(const char *what, const char *name, struct error *err)
{
	if (!*name)
		return error_set(err, EINVAL, "the %s has no name", what);
	if (strlen(name) > CHECK_NAME_BYTES_MAX)
		return error_set(err, EINVAL, "the %s's name is longer than %d characters", what,
				 CHECK_NAME_BYTES_MAX);
	if (!holds_only(name, "._-+") || strchr(".-+", *name))
		return error_set(err, EINVAL,
				 "'%s' cannot name the %s: use letters, digits and . _ - + and "
				 "begin with a letter or digit",
				 name, what);
	return 0;
}

/* ---- values of parameters ---- */

static int check_range(const struct parameter *parameter, uint64_t number, bool has_parts,
		       const char *text, struct error *err)
{
	if (number < parameter->min)
		return error_set(err, EINVAL, "%s=%s is too small, the least is %" PRIu64,
				 parameter->name, text, parameter->min);
	if (number > parameter->max || (number == parameter->max && has_parts))
		return error_set(err, EINVAL, "%s=%s is too large, the most is %" PRIu64,
				 parameter->name, text, parameter->max);
	return 0;
}

static int check_number(const struct parameter *parameter, const char *text, unsigned *ret_column,
			struct error *err)
{
	static const struct machine none;
	bool fixed = false;
	uint64_t number = 0;
	int answer =
		machine_expression_check(text, parameter->percent_of_cpus, &fixed, ret_column, err);
	if (answer == 0 && fixed)
		answer = machine_evaluate(&none, text, /* percent_of_cpus= */ false, &number,
					  ret_column, err);
	if (answer < 0 && err)
		return error_at(err, "%s=%s", parameter->name, text);
	if (answer < 0 || !fixed)
		return answer;
	*ret_column = 0;
	return check_range(parameter, number, /* has_parts= */ false, text, err);
}

static int check_seconds(const struct parameter *parameter, const char *text, struct error *err)
{
	double seconds;
	if (text[strspn(text, "0123456789.")] != '\0' || !strchr(digits, *text) ||
	    !text_parse_f64(text, &seconds) || seconds > 1e9)
		return error_set(err, EINVAL,
				 "%s=%s is no number of seconds such as 0.5 or 10 (without a unit)",
				 parameter->name, text);
	assert(seconds >= 0);
	const uint64_t whole = (uint64_t)seconds;
	return check_range(parameter, whole, seconds > (double)whole, text, err);
}

static int check_word(const struct parameter *parameter, const char *text, struct error *err)
{
	AUTO(text) char *copy = mem_text(parameter->words);
	const char *words[WORDS_MAX];
	size_t n = 0;
	char *rest = copy;
	const char *word;
	while (n < WORDS_MAX && (word = strtok_r(n == 0 ? copy : NULL, " ", &rest))) {
		if (text_equal(word, text))
			return 0;
		words[n++] = word;
	}
	return check_unknown(parameter->name, text, words, n, err);
}

static int check_bytes(const char *text, struct error *err)
{
	if (strlen(text) > CHECK_VALUE_BYTES_MAX)
		return error_set(err, EINVAL, "longer than %d bytes", CHECK_VALUE_BYTES_MAX);
	if (!utf8_is_valid(text))
		return error_set(err, EINVAL, "not UTF-8: '%s'", text);
	for (const char *at = text; *at; at++)
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
			return error_set(err, EINVAL, "a line break or control character in '%s'",
					 text);
	return 0;
}

int check_value(const struct parameter *parameter, const char *text, unsigned *ret_column,
		struct error *err)
{
	*ret_column = 0;
	const int answer = check_bytes(text, err);
	if (answer < 0)
		return answer;
	if (!*text && parameter->type != PARAMETER_TEXT)
		return error_set(err, EINVAL, "'%s' has no value", parameter->name);
	switch (parameter->type) {
	case PARAMETER_NUMBER:
		return check_number(parameter, text, ret_column, err);
	case PARAMETER_SECONDS:
		return check_seconds(parameter, text, err);
	case PARAMETER_WORD:
		return check_word(parameter, text, err);
	case PARAMETER_TEXT:
		break;
	}
	return 0;
}

/* ---- settings of subjects ---- */

/* Dotted or slashed path without empty parts and without "..": it is written below /sys or
 * /proc/sys by root. */
static bool is_path(const char *path, char separator, const char *others)
{
	if (!holds_only(path, others) || strlen(path) > CHECK_VALUE_BYTES_MAX)
		return false;
	bool part_begins = true;
	for (const char *at = path; *at; at++) {
		if (part_begins && (*at == separator || *at == '.' || *at == '/'))
			return false;
		part_begins = *at == separator || *at == '/';
	}
	return !part_begins;
}

/* The path below /sys; people also copy the whole path. */
static bool is_sysfs(const char *key)
{
	if (text_starts_with(key, "/sys/"))
		key += strlen("/sys/");
	return is_path(key, '/', "._-/:,+@#=") && strchr(key, '/');
}

size_t check_setting_kinds(const char **words)
{
	size_t n = 0;
	for (enum setting_kind kind = 0; kind < SETTING_KIND_COUNT; kind++)
		if (kind != SETTING_KERNEL)
			words[n++] = setting_kind_text(kind);
	return n;
}

int check_setting_key(enum setting_kind kind, const char *key, struct error *err)
{
	const char *example = NULL;
	/* As for sysctl(8), a '/' inside a dotted name stands for a dot of an interface's name. */
	if (kind == SETTING_SYSCTL &&
	    (!is_path(key, '.', "._-/:+@") || key[strcspn(key, "./")] != '.'))
		example = "vm.swappiness";
	else if (kind == SETTING_SYSFS && !is_sysfs(key))
		example = "kernel/mm/transparent_hugepage/enabled (the path below /sys)";
	else if (kind == SETTING_ENV && (!*key || strchr(digits, *key) || !holds_only(key, "_")))
		example = "MALLOC_ARENA_MAX";
	else if (kind == SETTING_CGROUP && (!is_path(key, '.', "._") || !strchr(key, '.')))
		example = "memory.max";
	if (example)
		return error_set(err, EINVAL, "'%s' is no %s key such as %s", key,
				 setting_kind_text(kind), example);
	return 0;
}

static int check_instances(const char *value, struct error *err)
{
	AUTO(text) char *copies = mem_text(value);
	char *colon = strchr(copies, ':');
	uint64_t number = 1;
	if (colon)
		*colon++ = '\0';
	if (!colon || text_equal(colon, "bound"))
		if (text_equal(copies, "node") || text_equal(copies, "socket") ||
		    (text_parse_u64(copies, &number) && number >= 1 && number <= INSTANCES_MAX))
			return 0;
	return error_set(err, EINVAL,
			 "'%s' is no number of instances: write node, socket or 1 to %d, and "
			 ":bound behind it to bind each",
			 value, INSTANCES_MAX);
}

int check_setting_value(enum setting_kind kind, const char *value, struct error *err)
{
	const int answer = check_bytes(value, err);
	if (answer < 0)
		return answer;
	if (!*value && kind != SETTING_ENV && kind != SETTING_PARAM)
		return error_set(err, EINVAL, "the %s setting has no value",
				 setting_kind_text(kind));
	if (kind == SETTING_INSTANCES)
		return check_instances(value, err);
	if (kind == SETTING_GOVERNOR && !holds_only(value, "_-"))
		return error_set(err, EINVAL, "'%s' is no governor such as performance", value);
	if (kind == SETTING_IDLE && !holds_only(value, ",_-+"))
		return error_set(err, EINVAL,
				 "'%s' is no list of idle states such as C1,C1E, nor all", value);
	return 0;
}

/* ---- numbers of the experiment ---- */

int check_seed(uint64_t seed, struct error *err)
{
	if (seed > EXPERIMENT_SEED_MAX)
		return error_set(err, EINVAL, "seed is %" PRIu64 ", the largest is %llu", seed,
				 EXPERIMENT_SEED_MAX);
	return 0;
}

int check_interval(uint64_t interval_ns, struct error *err)
{
	if (interval_ns != 0 &&
	    (interval_ns < CHECK_INTERVAL_NS_MIN || interval_ns > INTERVAL_NS_MAX))
		return error_set(err, EINVAL,
				 "the interval must be 10ms to 1h, or 0s for one sample at each "
				 "end of the window");
	return 0;
}

int check_time_limit(uint64_t time_limit_ns, struct error *err)
{
	if (time_limit_ns != 0 &&
	    (time_limit_ns < TIME_LIMIT_NS_MIN || time_limit_ns > TIME_LIMIT_NS_MAX))
		return error_set(err, EINVAL, "the time limit of a run must be 1s to 168h");
	return 0;
}

int check_question(const char *question, struct error *err)
{
	if (check_bytes(question, err) < 0 || strlen(question) > CHECK_QUESTION_BYTES_MAX)
		return error_set(err, EINVAL, "the question is one line of at most %d bytes",
				 CHECK_QUESTION_BYTES_MAX);
	return 0;
}

int check_place(const char *place, struct error *err)
{
	static const char *const places[] = { "host" };
	if (text_equal(place, places[0]))
		return 0;
	return check_unknown("place", place, places, ARRAY_SIZE(places), err);
}
