/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/value.h"

#include "check.h"

#include <errno.h>
#include <math.h>

static void check_same(struct value have, struct value want)
{
	CHECK_INT(have.state, want.state);
	CHECK_INT(have.why, want.why);
	CHECK(memcmp(&have.number, &want.number, sizeof(double)) == 0);
}

static void every_number_survives_packing(void **state)
{
	const double numbers[] = {
		0, -0.0, 1, -1.5, 0x1p53, 0x1p53 + 2, 1.7976931348623157e308, 5e-324, 1e-310, 162245
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		check_same(value_unpack(value_pack(value_known(numbers[i]))),
			   value_known(numbers[i]));
}

static void every_missing_reason_survives_packing(void **state)
{
	for (int why = MISSING_NOT + 1; why < MISSING_COUNT; why++) {
		const struct value missing = value_missing((enum missing)why);
		check_same(value_unpack(value_pack(missing)), missing);
	}
}

static void not_applicable_survives_packing(void **state)
{
	check_same(value_unpack(value_pack(value_not_applicable())), value_not_applicable());
}

static void what_is_not_known_is_packed_as_a_quiet_nan(void **state)
{
	/* The format: state in bits 8 to 15, reason in bits 0 to 7. */
	CHECK(value_pack(value_missing(MISSING_DENIED)) == 0x7ff8000000000102ULL);
	CHECK(value_pack(value_not_applicable()) == 0x7ff8000000000200ULL);
}

static void a_nan_of_another_making_is_malformed(void **state)
{
	const uint64_t foreign[] = {
		0x7ff8000000000000ULL, /* The plain NaN. */
		0xfff8000000000000ULL, /* What x86 makes of 0/0. */
		0x7ff80000000001ffULL, /* A reason that does not exist. */
		0x7ff8000000000100ULL, /* Missing for no reason. */
		0x7ff8000000000201ULL, /* Not applicable with a reason. */
		0x7ff8000000000301ULL, /* A state that does not exist. */
		0x7ff8000000010101ULL, /* Other bits set. */
		0x7ff0000000000101ULL, /* Signalling. */
		0x7ff0000000000000ULL, /* Infinity. */
		0xfff0000000000000ULL,
	};
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		check_same(value_unpack(foreign[i]), value_missing(MISSING_MALFORMED));
}

static void a_known_number_that_is_none_is_packed_as_malformed(void **state)
{
	const double none[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		check_same(value_unpack(value_pack(value_known(none[i]))),
			   value_missing(MISSING_MALFORMED));
}

static void every_reason_has_words_of_its_own(void **state)
{
	for (int one = 0; one < MISSING_COUNT; one++) {
		CHECK(strlen(missing_text((enum missing)one)) > 3);
		for (int other = 0; other < one; other++)
			CHECK(strcmp(missing_text((enum missing)one),
				     missing_text((enum missing)other)) != 0);
	}
	CHECK_TEXT(missing_text(MISSING_COUNT), "unknown reason");
}

static void an_errno_becomes_the_reason_that_it_means(void **state)
{
	CHECK(missing_from_errno(ENOENT) == MISSING_ABSENT);
	CHECK(missing_from_errno(ENOTDIR) == MISSING_ABSENT);
	CHECK(missing_from_errno(EACCES) == MISSING_DENIED);
	CHECK(missing_from_errno(EPERM) == MISSING_DENIED);
	CHECK(missing_from_errno(EOPNOTSUPP) == MISSING_SWITCHED_OFF);
	CHECK(missing_from_errno(EIO) == MISSING_UNREADABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_survives_packing),
		cmocka_unit_test(every_missing_reason_survives_packing),
		cmocka_unit_test(not_applicable_survives_packing),
		cmocka_unit_test(what_is_not_known_is_packed_as_a_quiet_nan),
		cmocka_unit_test(a_nan_of_another_making_is_malformed),
		cmocka_unit_test(a_known_number_that_is_none_is_packed_as_malformed),
		cmocka_unit_test(every_reason_has_words_of_its_own),
		cmocka_unit_test(an_errno_becomes_the_reason_that_it_means),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
