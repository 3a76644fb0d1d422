/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' checks, thin over cmocka: they print both values and stay on in every build. A test file is
 *
 *     static void a_tie_is_not_a_regression(void **state) { ... CHECK_INT(have, want); }
 *     int main(void)
 *     {
 *             const struct CMUnitTest tests[] = { cmocka_unit_test(a_tie_is_not_a_regression) };
 *             return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 *
 * Test names are sentences. A test that cannot work here calls skip() after printing why.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off: cmocka.h leans on the headers above, so it stays below them. */
#include <cmocka.h>
/* clang-format on */

/* Ends the test. fail_msg() never returns, but does not say so to the compiler. */
#define CHECK_FAIL(...)                                                                            \
	do {                                                                                       \
		fail_msg(__VA_ARGS__);                                                             \
		abort();                                                                           \
	} while (0)

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			CHECK_FAIL("%s:%d: not so: %s", __FILE__, __LINE__, #condition);           \
	} while (0)

#define CHECK_INT(have, want)                                                                      \
	do {                                                                                       \
		const long long have_ = (long long)(have);                                         \
		const long long want_ = (long long)(want);                                         \
		if (have_ != want_)                                                                \
			CHECK_FAIL("%s:%d: %s is %lld, not %lld", __FILE__, __LINE__, #have,       \
				   have_, want_);                                                  \
	} while (0)

#define CHECK_TEXT(have, want)                                                                     \
	do {                                                                                       \
		const char *have_ = (have);                                                        \
		const char *want_ = (want);                                                        \
		if (!have_ || !want_ || strcmp(have_, want_) != 0)                                 \
			CHECK_FAIL("%s:%d: %s is \"%s\", not \"%s\"", __FILE__, __LINE__, #have,   \
				   have_ ? have_ : "(null)", want_ ? want_ : "(null)");            \
	} while (0)

/* The text must hold the piece. */
#define CHECK_HOLDS(have, piece)                                                                   \
	do {                                                                                       \
		const char *have_ = (have);                                                        \
		const char *piece_ = (piece);                                                      \
		if (!have_ || !strstr(have_, piece_))                                              \
			CHECK_FAIL("%s:%d: %s does not hold \"%s\": \"%s\"", __FILE__, __LINE__,   \
				   #have, piece_, have_ ? have_ : "(null)");                       \
	} while (0)

/* Equal within an absolute tolerance. */
#define CHECK_NEAR(have, want, tolerance)                                                          \
	do {                                                                                       \
		const double have_ = (have);                                                       \
		const double want_ = (want);                                                       \
		if (!(have_ - want_ <= (tolerance) && want_ - have_ <= (tolerance)))               \
			CHECK_FAIL("%s:%d: %s is %.17g, not %.17g", __FILE__, __LINE__, #have,     \
				   have_, want_);                                                  \
	} while (0)
