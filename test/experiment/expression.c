/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers calculated from the machine: values, and where each fault is. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "check.h"
#include "experiment/machine.h"

#include <errno.h>
#include <inttypes.h>

static const struct machine big = {
	.cpus = 96, .cores = 48, .sockets = 2, .nodes = 4, .memory_mib = 262144
};

static void expressions_of_the_machine_have_their_values(void **state)
{
	static const struct {
		const char *text;
		uint64_t number;
	} rows[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "007", 7 },
		{ " 7 ", 7 },
		{ "cpus", 96 },
		{ "cores", 48 },
		{ "sockets", 2 },
		{ "nodes*4", 16 },
		{ "memory_mib/1024", 256 },
		{ "2*cpus", 192 },
		{ "2+3*4", 14 },
		{ "(2+3)*4", 20 },
		{ "10-2-3", 5 },
		{ "100/10/2", 5 },
		{ "7/2", 3 },
		{ "2-4+3", 1 },
		{ "cpus/(nodes-1)", 32 },
		{ "( ( cpus + 2 ) / 2 )", 49 },
		{ "9223372036854775807", 9223372036854775807ULL },
		{ "9223372036854775807-1", 9223372036854775806ULL },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t number = 0;
		unsigned column;
		struct error err = { 0 };
		if (machine_evaluate(&big, rows[i].text, false, &number, &column, &err) < 0)
			fail_msg("'%s': %s", rows[i].text, err.text);
		CHECK_INT(number, rows[i].number);
	}
}

static void a_percentage_is_a_share_of_the_cpus(void **state)
{
	static const struct {
		const char *text;
		uint64_t cpus;
		uint64_t number;
	} rows[] = {
		{ "50%", 96, 48 }, { " 50% ", 96, 48 }, { "100%", 96, 96 }, { "1600%", 2, 32 },
		{ "50%", 3, 1 },   { "50%", 1, 1 },     { "1%", 4, 1 },     { "0%", 96, 0 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct machine machine = { .cpus = rows[i].cpus };
		uint64_t number = 77;
		unsigned column;
		CHECK_INT(machine_evaluate(&machine, rows[i].text, true, &number, &column, NULL),
			  0);
		CHECK_INT(number, rows[i].number);
	}
}

static void each_fault_has_its_column_and_sentence(void **state)
{
	static const struct {
		const char *text;
		bool percent_of_cpus;
		unsigned column;
		const char *sentence;
	} rows[] = {
		{ "", false, 0, "a number or a name is wanted at the end" },
		{ "2*", false, 2, "a number or a name is wanted at the end" },
		{ "2**3", false, 2, "a number or a name is wanted where '*' stands" },
		{ "-3", false, 0, "a number or a name is wanted where '-' stands" },
		{ "2*cpu", false, 2, "unknown name 'cpu', did you mean 'cpus'?" },
		{ "threads", false, 0,
		  "unknown name 'threads', known are cpus, cores, sockets, nodes, memory_mib" },
		{ "(cpus", false, 0, "'(' without its ')'" },
		{ "2*(cpus+1", false, 2, "'(' without its ')'" },
		{ "cpus)", false, 4, "unexpected ')'" },
		{ "cpus cpus", false, 5, "unexpected 'cpus'" },
		{ "0x10", false, 1, "unexpected 'x10'" },
		{ "1.5", false, 1, "unexpected '.5'" },
		{ "4-nodes*2", false, 0, "the result is negative" },
		{ "1/0", false, 1, "division by zero" },
		{ "8/(nodes-4)", false, 1, "division by zero" },
		{ "9223372036854775807+cpus", false, 19, "the result is too large" },
		{ "9223372036854775807*2", false, 19, "the result is too large" },
		{ "9223372036854775808", false, 0, "number too large" },
		{ "99999999999999999999999", false, 0, "number too large" },
		{ "50%", false, 2,
		  "only a number of CPUs can be a percentage, write a plain number" },
		{ "2*50%", true, 4, "a percentage stands alone, as in 50%" },
		{ "50%+1", true, 2, "a percentage stands alone, as in 50%" },
		{ "18446744073709551615%", true, 0, "the result is too large" },
		{ "9223372036854775807%", true, 0, "the result is too large" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t number = 77;
		unsigned column = 99;
		struct error err = { 0 };
		CHECK_INT(machine_evaluate(&big, rows[i].text, rows[i].percent_of_cpus, &number,
					   &column, &err),
			  -EINVAL);
		CHECK_TEXT(err.text, rows[i].sentence);
		CHECK_INT(column, rows[i].column);
		CHECK_INT(number, 77);
	}
}

static void the_writing_is_checked_without_a_machine(void **state)
{
	bool fixed = false;
	unsigned column = 99;
	CHECK_INT(machine_expression_check("2*3", false, &fixed, &column, NULL), 0);
	CHECK(fixed);
	CHECK_INT(machine_expression_check("cpus/(nodes-1)", false, &fixed, &column, NULL), 0);
	CHECK(!fixed);
	CHECK_INT(machine_expression_check("50%", true, &fixed, &column, NULL), 0);
	CHECK(!fixed);
	CHECK_INT(machine_expression_check("2*nods", false, &fixed, &column, NULL), -EINVAL);
	CHECK_INT(column, 2);
}

static void brackets_and_length_are_limited(void **state)
{
	char nested[256] = { 0 };
	char *at = nested;
	for (unsigned i = 0; i < 33; i++)
		*at++ = '(';
	*at++ = '1';
	for (unsigned i = 0; i < 33; i++)
		*at++ = ')';
	uint64_t number = 0;
	unsigned column = 99;
	CHECK_INT(machine_evaluate(&big, nested, false, &number, &column, NULL), -EINVAL);
	CHECK_INT(column, 32);
	nested[66] = '\0';
	CHECK_INT(machine_evaluate(&big, nested + 1, false, &number, &column, NULL), 0);
	CHECK_INT(number, 1);
	char sequence[600] = { 0 };
	for (size_t i = 0; i + 2 < sizeof(sequence); i += 2)
		memcpy(sequence + i, "1+", 2);
	CHECK_INT(machine_evaluate(&big, sequence, false, &number, &column, NULL), -EINVAL);
}

/* A random expression with few brackets and its value as the plainest code has it. */
static int64_t random_sum(struct random *random, struct text *text, unsigned depth)
{
	int64_t sum = 0;
	const unsigned n = 1 + (unsigned)random_below(random, 3);
	for (unsigned i = 0; i < n; i++) {
		const bool minus = i > 0 && random_below(random, 2);
		if (i > 0)
			text_add(text, "%s", minus ? "-" : " + ");
		int64_t product = 1;
		const unsigned factors = 1 + (unsigned)random_below(random, 2);
		for (unsigned j = 0; j < factors; j++) {
			if (j > 0)
				text_add(text, "*");
			int64_t factor = (int64_t)random_below(random, 100);
			if (depth > 0 && random_below(random, 3) == 0) {
				text_add(text, "(");
				factor = random_sum(random, text, depth - 1);
				text_add(text, ")");
			} else {
				text_add(text, "%" PRId64, factor);
			}
			product *= factor;
		}
		sum += minus ? -product : product;
	}
	return sum;
}

static void random_expressions_agree_with_plain_arithmetic(void **state)
{
	struct random random;
	random_seed(&random, 1);
	for (unsigned i = 0; i < 2000; i++) {
		struct text text AUTO(text_buffer) = { 0 };
		const int64_t want = random_sum(&random, &text, 2);
		uint64_t number = 0;
		unsigned column;
		struct error err = { 0 };
		const int answer =
			machine_evaluate(&big, text_string(&text), false, &number, &column, &err);
		if (text.length > 256)
			continue;
		CHECK_INT(answer, want < 0 ? -EINVAL : 0);
		if (want >= 0)
			CHECK_INT(number, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_of_the_machine_have_their_values),
		cmocka_unit_test(a_percentage_is_a_share_of_the_cpus),
		cmocka_unit_test(each_fault_has_its_column_and_sentence),
		cmocka_unit_test(the_writing_is_checked_without_a_machine),
		cmocka_unit_test(brackets_and_length_are_limited),
		cmocka_unit_test(random_expressions_agree_with_plain_arithmetic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
