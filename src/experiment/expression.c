/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The small arithmetic of machine.h: a recursive descent over sums of products. Its depth is
 * limited and its every step is checked for overflow. */
#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/machine.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define BRACKETS_MAX 32
#define EXPRESSION_BYTES_MAX 256

static const char *const names[] = { "cpus", "cores", "sockets", "nodes", "memory_mib" };

struct reader {
	const char *start;
	const char *at;
	const struct machine *machine; /* NULL: only the writing is looked at. */
	unsigned depth;
	bool fixed;        /* No name of the machine has come yet. */
	const char *fault; /* Where it went wrong. */
	struct error *err;
};

static int read_sum(struct reader *reader, int64_t *ret_number);

static int64_t machine_number(const struct machine *machine, size_t name)
{
	const uint64_t numbers[] = { machine->cpus, machine->cores, machine->sockets,
				     machine->nodes, machine->memory_mib };
	static_assert(ARRAY_SIZE(numbers) == ARRAY_SIZE(names), "a name without a number");
	return numbers[name] > INT64_MAX ? INT64_MAX : (int64_t)numbers[name];
}

static void skip_blanks(struct reader *reader)
{
	reader->at += strspn(reader->at, " ");
}

static bool is_name_part(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
	       (character >= '0' && character <= '9') || character == '_';
}

static int read_name(struct reader *reader, int64_t *ret_number)
{
	size_t length = 0;
	while (is_name_part(reader->at[length]))
		length++;
	AUTO(text) char *word = mem_text_n(reader->at, length);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!text_equal(word, names[i]))
			continue;
		reader->at += length;
		reader->fixed = false;
		*ret_number = reader->machine ? machine_number(reader->machine, i) : 1;
		return 0;
	}
	reader->fault = reader->at;
	const char *near = text_nearest(word, names, ARRAY_SIZE(names));
	if (near)
		return error_set(reader->err, EINVAL, "unknown name '%s', did you mean '%s'?", word,
				 near);
	return error_set(reader->err, EINVAL,
			 "unknown name '%s', known are cpus, cores, sockets, nodes, memory_mib",
			 word);
}

static int read_brackets(struct reader *reader, int64_t *ret_number)
{
	const char *open = reader->at++;
	if (++reader->depth > BRACKETS_MAX) {
		reader->fault = open;
		return error_set(reader->err, EINVAL, "brackets are nested deeper than %d",
				 BRACKETS_MAX);
	}
	const int answer = read_sum(reader, ret_number);
	if (answer < 0)
		return answer;
	if (*reader->at != ')') {
		reader->fault = open;
		return error_set(reader->err, EINVAL, "'(' without its ')'");
	}
	reader->at++;
	reader->depth--;
	return 0;
}

static int read_digits(struct reader *reader, int64_t *ret_number)
{
	const char *start = reader->at;
	uint64_t number = 0;
	if (text_scan_u64(&reader->at, reader->at + strlen(reader->at), &number) &&
	    number <= INT64_MAX) {
		*ret_number = (int64_t)number;
		return 0;
	}
	reader->fault = start;
	return error_set(reader->err, EINVAL, "number too large");
}

/* A number, a name or a bracket. */
static int read_term(struct reader *reader, int64_t *ret_number)
{
	skip_blanks(reader);
	int answer;
	if (*reader->at >= '0' && *reader->at <= '9')
		answer = read_digits(reader, ret_number);
	else if (*reader->at == '(')
		answer = read_brackets(reader, ret_number);
	else if (is_name_part(*reader->at))
		answer = read_name(reader, ret_number);
	else {
		reader->fault = reader->at;
		answer = *reader->at ? error_set(reader->err, EINVAL,
						 "a number or a name is wanted where '%.1s' stands",
						 reader->at)
				     : error_set(reader->err, EINVAL,
						 "a number or a name is wanted at the end");
	}
	if (answer == 0)
		skip_blanks(reader);
	return answer;
}

/* One step. The operands are only meaningful when there is a machine. */
static int calculate(struct reader *reader, const char *sign, int64_t right, int64_t *number)
{
	if (!reader->machine)
		return 0;
	bool overflow = false;
	const int64_t left = *number;
	reader->fault = sign;
	switch (*sign) {
	case '+':
		overflow = __builtin_add_overflow(left, right, number);
		break;
	case '-':
		overflow = __builtin_sub_overflow(left, right, number);
		break;
	case '*':
		overflow = __builtin_mul_overflow(left, right, number);
		break;
	default:
		assert(*sign == '/');
		if (right == 0)
			return error_set(reader->err, EINVAL, "division by zero");
		overflow = left == INT64_MIN && right == -1;
		if (!overflow)
			*number = left / right;
	}
	return overflow ? error_set(reader->err, EINVAL, "the result is too large") : 0;
}

static int read_product(struct reader *reader, int64_t *ret_number)
{
	int64_t number = 0;
	int answer = read_term(reader, &number);
	while (answer == 0 && (*reader->at == '*' || *reader->at == '/')) {
		const char *sign = reader->at++;
		int64_t right = 0;
		answer = read_term(reader, &right);
		if (answer == 0)
			answer = calculate(reader, sign, right, &number);
	}
	if (answer == 0)
		*ret_number = number;
	return answer;
}

static int read_sum(struct reader *reader, int64_t *ret_number)
{
	int64_t number = 0;
	int answer = read_product(reader, &number);
	while (answer == 0 && (*reader->at == '+' || *reader->at == '-')) {
		const char *sign = reader->at++;
		int64_t right = 0;
		answer = read_product(reader, &right);
		if (answer == 0)
			answer = calculate(reader, sign, right, &number);
	}
	if (answer == 0)
		*ret_number = number;
	return answer;
}

/* "50%", nothing else around it but blanks: true and the number in front. */
static bool is_percent(const char *expression, uint64_t *ret_percent)
{
	const char *at = expression + strspn(expression, " ");
	uint64_t percent = 0;
	if (!text_scan_u64(&at, at + strlen(at), &percent) || *at != '%')
		return false;
	at++;
	if (at[strspn(at, " ")] != '\0')
		return false;
	*ret_percent = percent;
	return true;
}

static int read_percent(struct reader *reader, uint64_t percent, bool percent_of_cpus,
			uint64_t *ret_number)
{
	uint64_t hundredths = 0;
	reader->fixed = false;
	if (!percent_of_cpus) {
		reader->fault = strchr(reader->start, '%');
		return error_set(reader->err, EINVAL,
				 "only a number of CPUs can be a percentage, write a plain number");
	}
	if (percent > INT64_MAX ||
	    (reader->machine &&
	     __builtin_mul_overflow(percent, reader->machine->cpus, &hundredths)))
		return error_set(reader->err, EINVAL, "the result is too large");
	const uint64_t number = hundredths / 100;
	*ret_number = number == 0 && percent > 0 ? 1 : number;
	return 0;
}

static int read_whole(struct reader *reader, bool percent_of_cpus, uint64_t *ret_number)
{
	uint64_t percent = 0;
	if (strlen(reader->start) > EXPRESSION_BYTES_MAX)
		return error_set(reader->err, EINVAL, "longer than %d characters",
				 EXPRESSION_BYTES_MAX);
	if (is_percent(reader->start, &percent))
		return read_percent(reader, percent, percent_of_cpus, ret_number);
	int64_t number = 0;
	const int answer = read_sum(reader, &number);
	if (answer < 0)
		return answer;
	reader->fault = reader->at;
	if (*reader->at == '%')
		return error_set(reader->err, EINVAL, "a percentage stands alone, as in 50%%");
	if (*reader->at)
		return error_set(reader->err, EINVAL, "unexpected '%s'", reader->at);
	reader->fault = reader->start;
	if (reader->machine && number < 0)
		return error_set(reader->err, EINVAL, "the result is negative");
	*ret_number = (uint64_t)number;
	return 0;
}

int machine_evaluate(const struct machine *machine, const char *expression, bool percent_of_cpus,
		     uint64_t *ret_number, unsigned *ret_column, struct error *err)
{
	assert(machine);
	struct reader reader = { .start = expression,
				 .at = expression,
				 .fault = expression,
				 .machine = machine,
				 .fixed = true,
				 .err = err };
	const int answer = read_whole(&reader, percent_of_cpus, ret_number);
	if (answer < 0)
		*ret_column = (unsigned)(reader.fault - expression);
	return answer;
}

int machine_expression_check(const char *expression, bool percent_of_cpus, bool *ret_fixed,
			     unsigned *ret_column, struct error *err)
{
	struct reader reader = { .start = expression,
				 .at = expression,
				 .fault = expression,
				 .fixed = true,
				 .err = err };
	uint64_t number = 0;
	const int answer = read_whole(&reader, percent_of_cpus, &number);
	if (answer < 0)
		*ret_column = (unsigned)(reader.fault - expression);
	else
		*ret_fixed = reader.fixed;
	return answer;
}
