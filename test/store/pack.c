/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers to bytes and back, and damaged bytes. */
#include "store/pack.h"

#include "fixture.h"

#include <errno.h>

static void numbers_are_little_endian(void **state)
{
	const uint32_t small[] = { 0x04030201, UINT32_MAX };
	const uint64_t large[] = { 0x0807060504030201, UINT64_MAX };
	static const uint8_t order[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t *bytes = pack_u32(small, 2);

	CHECK(memcmp(bytes, order, 4) == 0);
	CHECK_INT(pack_u32_at(bytes, 0), small[0]);
	CHECK_INT(pack_u32_at(bytes, 1), small[1]);
	free(bytes);
	bytes = pack_u64(large, 2);
	CHECK(memcmp(bytes, order, 8) == 0);
	CHECK(pack_u64_at(bytes, 0) == large[0]);
	CHECK(pack_u64_at(bytes, 1) == large[1]);
	free(bytes);
}

static void a_block_is_folded_and_unfolded(void **state)
{
	char block[10000];
	uint8_t *back = NULL;
	size_t length = 0;
	size_t back_length = 0;

	memset(block, 'a', sizeof(block));
	uint8_t *frame = pack_fold(block, sizeof(block), &length);

	CHECK(length < 200);
	CHECK_INT(pack_unfold(frame, length, sizeof(block), &back, &back_length, NULL), 0);
	CHECK_INT(back_length, sizeof(block));
	CHECK(memcmp(back, block, sizeof(block)) == 0);
	free(back);
	free(frame);
}

static void a_damaged_or_huge_frame_is_refused(void **state)
{
	char block[1000];
	uint8_t *back = NULL;
	size_t length = 0;
	size_t back_length = 0;
	struct error err = { 0 };

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)(i * i);
	uint8_t *frame = pack_fold(block, sizeof(block), &length);

	CHECK_INT(pack_unfold(frame, length, sizeof(block) - 1, &back, &back_length, &err),
		  -EBADMSG);
	for (size_t cut = 0; cut < length; cut++)
		CHECK_INT(pack_unfold(frame, cut, sizeof(block), &back, &back_length, &err),
			  -EBADMSG);
	CHECK_HOLDS(err.text, "zstd");
	CHECK(back == NULL);
	free(frame);
}

/* What of a series is not in the packed bytes: monitor, channels, number of samples. */
static struct run *shell_of(uint64_t number)
{
	struct run *run = fixture_run(number);

	free(run->series->times_ns);
	free(run->series->readings);
	run->series->times_ns = NULL;
	run->series->readings = NULL;
	return run;
}

static void a_series_comes_back_as_it_was(void **state)
{
	struct run *run = fixture_run(5);
	struct run *back = shell_of(5);
	uint8_t *bytes = NULL;
	size_t length = 0;

	CHECK_INT(pack_series(run->series, &bytes, &length, NULL), 0);
	CHECK_INT(pack_series_back(bytes, length, back->series, NULL), 0);
	fixture_same_series(back->series, run->series);
	free(bytes);
	run_free(back);
	run_free(run);
}

static void a_series_without_samples_comes_back(void **state)
{
	struct run *run = fixture_run(5);
	struct run *back = shell_of(5);
	uint8_t *bytes = NULL;
	size_t length = 0;

	run->series->n_samples = back->series->n_samples = 0;
	CHECK_INT(pack_series(run->series, &bytes, &length, NULL), 0);
	CHECK_INT(pack_series_back(bytes, length, back->series, NULL), 0);
	CHECK_INT(back->series->n_samples, 0);
	free(bytes);
	run_free(back);
	run_free(run);
}

static void a_series_of_steady_counters_is_small(void **state)
{
	struct channel channel = { "pgfault", CHANNEL_COUNTER, 64 };
	struct series series = { .channels = &channel, .n_channels = 1, .n_samples = 10000 };
	uint8_t *bytes = NULL;
	size_t length = 0;

	series.times_ns = mem_array(series.n_samples, sizeof(*series.times_ns));
	series.readings = mem_array(series.n_samples, sizeof(*series.readings));
	for (uint32_t i = 0; i < series.n_samples; i++) {
		series.times_ns[i] = 123456789 + i * FIXTURE_SECOND;
		series.readings[i] = reading_count(987654321 + 1000ULL * i);
	}
	CHECK_INT(pack_series(&series, &bytes, &length, NULL), 0);
	CHECK(length < 1000); /* Of 180,000 bytes. */
	free(bytes);
	free(series.times_ns);
	free(series.readings);
}

static void a_series_that_is_too_large_is_refused_with_advice(void **state)
{
	struct channel channel = { "pgfault", CHANNEL_COUNTER, 64 };
	const struct series series = {
		.channels = &channel,
		.n_channels = 60000,
		.n_samples = 60000,
	};
	uint8_t *bytes = NULL;
	size_t length = 0;
	struct error err = { 0 };

	CHECK_INT(pack_series(&series, &bytes, &length, &err), -EFBIG);
	CHECK_HOLDS(err.text, "longer interval");
}

static void samples_of_another_shape_are_refused(void **state)
{
	struct run *run = fixture_run(5);
	struct run *back = shell_of(5);
	uint8_t *bytes = NULL;
	size_t length = 0;
	struct error err = { 0 };

	CHECK_INT(pack_series(run->series, &bytes, &length, NULL), 0);
	back->series->n_samples++;
	CHECK_INT(pack_series_back(bytes, length, back->series, &err), -EBADMSG);
	free(bytes);
	run->series->readings[0].state = 77; /* A state that does not exist. */
	back->series->n_samples--;
	CHECK_INT(pack_series(run->series, &bytes, &length, NULL), 0);
	CHECK_INT(pack_series_back(bytes, length, back->series, &err), -EBADMSG);
	CHECK_HOLDS(err.text, "77");
	free(bytes);
	run_free(back);
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(a_block_is_folded_and_unfolded),
		cmocka_unit_test(a_damaged_or_huge_frame_is_refused),
		cmocka_unit_test(a_series_comes_back_as_it_was),
		cmocka_unit_test(a_series_without_samples_comes_back),
		cmocka_unit_test(a_series_of_steady_counters_is_small),
		cmocka_unit_test(a_series_that_is_too_large_is_refused_with_advice),
		cmocka_unit_test(samples_of_another_shape_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
