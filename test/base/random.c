/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Against published outputs of splitmix64 and xoshiro256**, never against our own. */
#include "base/random.h"

#include "base/macros.h"
#include "check.h"

static void seeding_gives_the_published_outputs_of_splitmix64(void **state)
{
	struct random random;
	random_seed(&random, 1234567);
	CHECK(random.state[0] == 6457827717110365317ULL);
	CHECK(random.state[1] == 3203168211198807973ULL);
	CHECK(random.state[2] == 9817491932198370423ULL);
	CHECK(random.state[3] == 4593380528125082431ULL);
}

static void the_sequence_is_the_published_one_of_xoshiro256(void **state)
{
	static const uint64_t want[] = {
		11520ULL,
		0ULL,
		1509978240ULL,
		1215971899390074240ULL,
		1216172134540287360ULL,
		607988272756665600ULL,
		16172922978634559625ULL,
		8476171486693032832ULL,
		10595114339597558777ULL,
		2904607092377533576ULL,
	};
	struct random random = { { 1, 2, 3, 4 } };
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK(random_next(&random) == want[i]);
}

static void one_seed_gives_one_sequence_and_another_another(void **state)
{
	struct random one;
	struct random same;
	struct random other;
	random_seed(&one, 7);
	random_seed(&same, 7);
	random_seed(&other, 8);
	unsigned equal = 0;
	for (int i = 0; i < 1000; i++) {
		const uint64_t draw = random_next(&one);
		CHECK(draw == random_next(&same));
		equal += draw == random_next(&other);
	}
	CHECK_INT(equal, 0);
}

static void draws_below_a_limit_are_even(void **state)
{
	struct random random;
	unsigned counts[6] = { 0 };
	random_seed(&random, 20140214);
	for (int i = 0; i < 60000; i++)
		counts[random_below(&random, 6)]++;
	for (int i = 0; i < 6; i++)
		CHECK_NEAR(counts[i], 10000, 500); /* Over five deviations. */
}

static void a_limit_that_does_not_divide_all_draws_is_not_biased(void **state)
{
	/* With a plain remainder the lower third would be hit twice as often. */
	const uint64_t limit = 3ULL << 62;
	struct random random;
	unsigned low = 0;
	random_seed(&random, 5);
	for (int i = 0; i < 30000; i++) {
		const uint64_t draw = random_below(&random, limit);
		CHECK(draw < limit);
		low += draw < 1ULL << 62;
	}
	CHECK_NEAR(low, 10000, 500);
	for (int i = 0; i < 100; i++)
		CHECK_INT(random_below(&random, 1), 0);
}

static void unit_draws_lie_in_their_interval_with_its_moments(void **state)
{
	struct random random;
	double sum = 0;
	double squares = 0;
	random_seed(&random, 99);
	for (int i = 0; i < 100000; i++) {
		const double draw = random_unit(&random);
		CHECK(draw >= 0 && draw < 1);
		sum += draw;
		squares += draw * draw;
	}
	CHECK_NEAR(sum / 100000, 0.5, 0.005);
	CHECK_NEAR(squares / 100000, 1.0 / 3, 0.005);
}

static void normal_draws_have_mean_0_and_deviation_1(void **state)
{
	struct random random;
	double sum = 0;
	double squares = 0;
	unsigned beyond = 0;
	random_seed(&random, 3);
	for (int i = 0; i < 100000; i++) {
		const double draw = random_normal(&random);
		sum += draw;
		squares += draw * draw;
		beyond += draw > 1.959964 || draw < -1.959964;
	}
	CHECK_NEAR(sum / 100000, 0, 0.02);
	CHECK_NEAR(squares / 100000, 1, 0.03);
	CHECK_NEAR(beyond, 5000, 400);
}

static void a_seed_from_the_system_survives_json(void **state)
{
	uint64_t all = 0;
	for (int i = 0; i < 100; i++) {
		const uint64_t seed = random_seed_from_system();
		CHECK(seed < 1ULL << 53);
		CHECK((uint64_t)(double)seed == seed);
		all |= seed;
	}
	CHECK(all > 1ULL << 52);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeding_gives_the_published_outputs_of_splitmix64),
		cmocka_unit_test(the_sequence_is_the_published_one_of_xoshiro256),
		cmocka_unit_test(one_seed_gives_one_sequence_and_another_another),
		cmocka_unit_test(draws_below_a_limit_are_even),
		cmocka_unit_test(a_limit_that_does_not_divide_all_draws_is_not_biased),
		cmocka_unit_test(unit_draws_lie_in_their_interval_with_its_moments),
		cmocka_unit_test(normal_draws_have_mean_0_and_deviation_1),
		cmocka_unit_test(a_seed_from_the_system_survives_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
