/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters, rates, shares and gauges by hand. */
#include "record/reduce.h"

#include "check.h"

#define SECOND 1000000000ULL
#define SAMPLES_MAX 16
#define CHANNELS_MAX 4

/* A series of up to four channels that is filled row by row. */
struct table {
	struct channel channels[CHANNELS_MAX];
	uint64_t times_ns[SAMPLES_MAX];
	struct reading readings[SAMPLES_MAX * CHANNELS_MAX];
	struct series series;
};

static void begin(struct table *table, uint32_t n_channels, enum channel_kind kind, uint8_t width)
{
	*table = (struct table) { 0 };
	for (uint32_t i = 0; i < n_channels; i++)
		table->channels[i] = (struct channel) { "c", kind, width };
	table->series = (struct series) {
		.channels = table->channels,
		.n_channels = n_channels,
		.times_ns = table->times_ns,
		.readings = table->readings,
	};
}

static void add_row(struct table *table, uint64_t at_ns, const struct reading *readings)
{
	struct series *series = &table->series;
	series->times_ns[series->n_samples] = at_ns;
	memcpy(series->readings + series->n_samples * series->n_channels, readings,
	       series->n_channels * sizeof(*readings));
	series->n_samples++;
}

static void add_count(struct table *table, uint64_t at_ns, uint64_t count)
{
	const struct reading reading = reading_count(count);
	add_row(table, at_ns, &reading);
}

static void add_level(struct table *table, uint64_t at_ns, double level)
{
	const struct reading reading = reading_level(level);
	add_row(table, at_ns, &reading);
}

static void add_missing(struct table *table, uint64_t at_ns, enum missing why)
{
	const struct reading reading = reading_missing(why);
	add_row(table, at_ns, &reading);
}

static const uint32_t all_channels[] = { 0, 1, 2, 3 };

static struct value reduce_of(const struct table *table, enum metric_kind kind, uint32_t n_parts,
			      double scale)
{
	const struct metric_rule rule = {
		.metric = { .name = "m", .unit = "1", .what = "", .kind = kind },
		.scale = scale,
		.parts = all_channels,
		.n_parts = n_parts,
		.whole = all_channels,
		.n_whole = table->series.n_channels,
	};
	return reduce_metric(&table->series, &rule, 10 * SECOND, 20 * SECOND);
}

static void check_known(struct value have, double want)
{
	CHECK_INT(have.state, VALUE_KNOWN);
	CHECK_NEAR(have.number, want, 1e-9);
}

static void check_missing(struct value have, enum missing why)
{
	CHECK_INT(have.state, VALUE_MISSING);
	CHECK_INT(have.why, why);
}

static void a_counter_is_the_difference_over_the_window(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 10 * SECOND, 79414);
	add_count(&table, 15 * SECOND, 90000);
	add_count(&table, 20 * SECOND, 95443);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 16029);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 4), 64116);
}

static void samples_outside_the_window_do_not_count(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 10 * SECOND - 1, 0);
	add_count(&table, 10 * SECOND, 100);
	add_count(&table, 20 * SECOND, 150);
	add_count(&table, 20 * SECOND + 1, 9999);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 50);
	check_known(reduce_of(&table, METRIC_MAXIMUM, 1, 1), 150);
	check_known(reduce_of(&table, METRIC_LAST, 1, 1), 150);
}

static void a_counter_that_did_not_move_is_zero_and_not_missing(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 10 * SECOND, 7);
	add_count(&table, 20 * SECOND, 7);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 0);
	check_known(reduce_of(&table, METRIC_RATE, 1, 1), 0);
}

static void one_sample_of_a_counter_is_too_few(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	check_missing(reduce_of(&table, METRIC_COUNTER, 1, 1), MISSING_UNSAMPLED);
	check_missing(reduce_of(&table, METRIC_RATE, 1, 1), MISSING_UNSAMPLED);
	check_missing(reduce_of(&table, METRIC_GAUGE, 1, 1), MISSING_UNSAMPLED);
	check_missing(reduce_of(&table, METRIC_MAXIMUM, 1, 1), MISSING_UNSAMPLED);
	check_missing(reduce_of(&table, METRIC_LAST, 1, 1), MISSING_UNSAMPLED);
	add_count(&table, 12 * SECOND, 7);
	check_missing(reduce_of(&table, METRIC_COUNTER, 1, 1), MISSING_UNSAMPLED);
	check_missing(reduce_of(&table, METRIC_RATE, 1, 1), MISSING_UNSAMPLED);
}

static void a_counter_of_32_bits_wraps(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 32);
	add_count(&table, 10 * SECOND, 4294967290ULL);
	add_count(&table, 14 * SECOND, 4);
	add_count(&table, 20 * SECOND, 10);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 16);
}

static void a_wrap_of_half_the_width_or_more_is_a_step_backwards(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 32);
	add_count(&table, 10 * SECOND, 0x80000001ULL);
	add_count(&table, 20 * SECOND, 0);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 2147483647.0);
	begin(&table, 1, CHANNEL_COUNTER, 32);
	add_count(&table, 10 * SECOND, 0x80000000ULL);
	add_count(&table, 20 * SECOND, 0);
	check_missing(reduce_of(&table, METRIC_COUNTER, 1, 1), MISSING_BACKWARDS);
}

static void a_counter_of_64_bits_that_falls_is_missing_and_never_negative(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 10 * SECOND, 4294967290ULL);
	add_count(&table, 12 * SECOND, 4);
	add_count(&table, 20 * SECOND, 4294967299ULL);
	check_missing(reduce_of(&table, METRIC_COUNTER, 1, 1), MISSING_BACKWARDS);
	check_missing(reduce_of(&table, METRIC_RATE, 1, 1), MISSING_BACKWARDS);
}

static void a_difference_of_large_counters_is_exact(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	/* Neither has an exact float; as floats their difference would be 0 or 2. */
	add_count(&table, 10 * SECOND, (1ULL << 60) + 1);
	add_count(&table, 20 * SECOND, (1ULL << 60) + 2);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 1);
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 10 * SECOND, UINT64_MAX - 1);
	add_count(&table, 20 * SECOND, UINT64_MAX);
	check_known(reduce_of(&table, METRIC_COUNTER, 1, 1), 1);
}

static void a_sum_beyond_all_counters_is_malformed(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading zeros[] = { reading_count(0), reading_count(0) };
	const struct reading all[] = { reading_count(UINT64_MAX), reading_count(1) };
	add_row(&table, 10 * SECOND, zeros);
	add_row(&table, 20 * SECOND, all);
	check_missing(reduce_of(&table, METRIC_COUNTER, 2, 1), MISSING_MALFORMED);
}

static void a_cpu_that_goes_and_comes_back_never_makes_the_sum_negative(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading rows[][2] = {
		{ reading_count(1000), reading_count(5000) },
		{ reading_count(1010), reading_missing(MISSING_OFFLINE) },
		{ reading_count(1020), reading_count(3) }, /* Back, and it began anew. */
		{ reading_count(1030), reading_count(10) },
	};
	for (uint64_t i = 0; i < 4; i++)
		add_row(&table, (10 + i) * SECOND, rows[i]);
	check_known(reduce_of(&table, METRIC_COUNTER, 2, 1), 30 + 7);
}

static void a_cpu_that_falls_without_a_gap_is_left_out_of_the_sum(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading rows[][2] = {
		{ reading_count(100), reading_count(5000) },
		{ reading_count(110), reading_count(5001) },
		{ reading_count(120), reading_count(2) },
		{ reading_count(130), reading_count(9) },
	};
	for (uint64_t i = 0; i < 4; i++)
		add_row(&table, (10 + i) * SECOND, rows[i]);
	check_known(reduce_of(&table, METRIC_COUNTER, 2, 1), 30 + 1 + 7);
}

static void a_cpu_that_came_inside_the_window_adds_what_was_seen_of_it(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading rows[][2] = {
		{ reading_count(0), reading_missing(MISSING_OFFLINE) },
		{ reading_count(1), reading_count(500) },
		{ reading_count(2), reading_count(540) },
	};
	for (uint64_t i = 0; i < 3; i++)
		add_row(&table, (10 + i) * SECOND, rows[i]);
	check_known(reduce_of(&table, METRIC_COUNTER, 2, 1), 42);
}

static void parts_that_are_all_missing_give_the_reason_of_the_first(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading row[] = { reading_missing(MISSING_DENIED),
				       reading_missing(MISSING_OFFLINE) };
	add_row(&table, 10 * SECOND, row);
	add_row(&table, 20 * SECOND, row);
	check_missing(reduce_of(&table, METRIC_COUNTER, 2, 1), MISSING_DENIED);
	check_missing(reduce_of(&table, METRIC_RATE, 2, 1), MISSING_DENIED);
	check_missing(reduce_of(&table, METRIC_SHARE, 2, 1), MISSING_DENIED);
	check_missing(reduce_of(&table, METRIC_GAUGE, 2, 1), MISSING_DENIED);
	check_missing(reduce_of(&table, METRIC_MAXIMUM, 1, 1), MISSING_DENIED);
	check_missing(reduce_of(&table, METRIC_LAST, 1, 1), MISSING_DENIED);
}

static void known_parts_count_beside_missing_ones(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading first[] = { reading_missing(MISSING_ABSENT), reading_count(1) };
	const struct reading second[] = { reading_missing(MISSING_ABSENT), reading_count(4) };
	add_row(&table, 10 * SECOND, first);
	add_row(&table, 20 * SECOND, second);
	check_known(reduce_of(&table, METRIC_COUNTER, 2, 1), 3);
}

static void what_has_no_meaning_stays_so_unless_another_part_is_missing(void **state)
{
	struct table table;
	const struct reading meaningless = { .state = VALUE_NOT_APPLICABLE };
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading none[] = { meaningless, meaningless };
	add_row(&table, 10 * SECOND, none);
	add_row(&table, 20 * SECOND, none);
	for (int kind = METRIC_COUNTER; kind <= METRIC_GAUGE; kind++)
		CHECK_INT(reduce_of(&table, (enum metric_kind)kind, 2, 1).state,
			  VALUE_NOT_APPLICABLE);
	CHECK_INT(reduce_of(&table, METRIC_MAXIMUM, 1, 1).state, VALUE_NOT_APPLICABLE);
	CHECK_INT(reduce_of(&table, METRIC_LAST, 1, 1).state, VALUE_NOT_APPLICABLE);
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading mixed[] = { meaningless, reading_missing(MISSING_DENIED) };
	add_row(&table, 10 * SECOND, mixed);
	add_row(&table, 20 * SECOND, mixed);
	check_missing(reduce_of(&table, METRIC_COUNTER, 2, 1), MISSING_DENIED);
}

static void a_rate_is_per_second_between_the_samples_used(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 11 * SECOND, 100);
	add_count(&table, 19 * SECOND, 180);
	check_known(reduce_of(&table, METRIC_RATE, 1, 1), 10);
	check_known(reduce_of(&table, METRIC_RATE, 1, 0.5), 5);
}

static void two_samples_at_one_time_have_no_rate(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_COUNTER, 64);
	add_count(&table, 11 * SECOND, 100);
	add_count(&table, 11 * SECOND, 180);
	check_missing(reduce_of(&table, METRIC_RATE, 1, 1), MISSING_UNSAMPLED);
}

static void a_share_is_in_per_cent_and_not_scaled(void **state)
{
	struct table table;
	begin(&table, 4, CHANNEL_COUNTER, 64);
	const struct reading first[] = { reading_count(10), reading_count(20), reading_count(30),
					 reading_count(40) };
	const struct reading second[] = { reading_count(13), reading_count(21), reading_count(34),
					  reading_count(42) };
	add_row(&table, 10 * SECOND, first);
	add_row(&table, 20 * SECOND, second);
	check_known(reduce_of(&table, METRIC_SHARE, 1, 1000), 30);
	check_known(reduce_of(&table, METRIC_SHARE, 2, 1), 40);
	check_known(reduce_of(&table, METRIC_SHARE, 4, 1), 100);
}

static void a_share_of_nothing_is_missing(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading row[] = { reading_count(10), reading_count(20) };
	add_row(&table, 10 * SECOND, row);
	add_row(&table, 20 * SECOND, row);
	check_missing(reduce_of(&table, METRIC_SHARE, 1, 1), MISSING_UNSAMPLED);
}

static void a_share_of_a_counter_that_ran_backwards_is_missing(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_COUNTER, 64);
	const struct reading first[] = { reading_count(10), reading_count(20) };
	const struct reading second[] = { reading_count(9), reading_count(30) };
	add_row(&table, 10 * SECOND, first);
	add_row(&table, 20 * SECOND, second);
	check_missing(reduce_of(&table, METRIC_SHARE, 1, 1), MISSING_BACKWARDS);
}

static void a_gauge_is_weighted_by_the_time_that_each_reading_holds(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 100);
	add_level(&table, 11 * SECOND, 200); /* Holds for seven seconds. */
	add_level(&table, 18 * SECOND, 50);  /* Until the window's end. */
	check_known(reduce_of(&table, METRIC_GAUGE, 1, 1), (100 + 1400 + 100) / 10.0);
	check_known(reduce_of(&table, METRIC_GAUGE, 1, 0.001), 0.16);
	check_known(reduce_of(&table, METRIC_MAXIMUM, 1, 4), 800);
	check_known(reduce_of(&table, METRIC_LAST, 1, 1), 50);
}

static void what_is_settled_stays_near_its_last_reading(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 50);
	add_level(&table, 11 * SECOND, 97); /* Near, and not for long. */
	add_level(&table, 12 * SECOND, 80);
	add_level(&table, 13 * SECOND, 95);
	add_missing(&table, 14 * SECOND, MISSING_ABSENT);
	add_level(&table, 15 * SECOND, 104);
	add_level(&table, 16 * SECOND, 100);
	add_missing(&table, 17 * SECOND, MISSING_ABSENT);
	check_known(reduce_of(&table, METRIC_SETTLED, 1, 1), 3);
}

static void what_never_moved_settled_at_once(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 0);
	check_missing(reduce_of(&table, METRIC_SETTLED, 1, 1), MISSING_UNSAMPLED);
	add_level(&table, 12 * SECOND, 0);
	check_known(reduce_of(&table, METRIC_SETTLED, 1, 1), 0);
}

static void what_still_moves_at_the_end_has_not_settled(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 50);
	add_level(&table, 12 * SECOND, 60);
	check_missing(reduce_of(&table, METRIC_SETTLED, 1, 1), MISSING_UNSETTLED);
}

static void a_gauge_that_begins_late_is_the_mean_of_what_was_seen(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 16 * SECOND, 10);
	add_level(&table, 18 * SECOND, 30);
	check_known(reduce_of(&table, METRIC_GAUGE, 1, 1), 20);
}

static void the_time_of_a_missing_reading_has_no_weight(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 10);
	add_missing(&table, 12 * SECOND, MISSING_UNREADABLE);
	add_level(&table, 18 * SECOND, 40);
	check_known(reduce_of(&table, METRIC_GAUGE, 1, 1), (20 + 80) / 4.0);
}

static void a_single_reading_at_the_very_end_is_the_mean(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 20 * SECOND, 42);
	check_known(reduce_of(&table, METRIC_GAUGE, 1, 1), 42);
}

static void gauges_of_several_channels_are_added(void **state)
{
	struct table table;
	begin(&table, 2, CHANNEL_GAUGE, 0);
	const struct reading first[] = { reading_level(1), reading_level(100) };
	const struct reading second[] = { reading_level(3), reading_missing(MISSING_OFFLINE) };
	add_row(&table, 10 * SECOND, first);
	add_row(&table, 15 * SECOND, second);
	check_known(reduce_of(&table, METRIC_GAUGE, 2, 1), 2 + 100);
}

static void the_maximum_of_negative_levels_is_negative(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, -5);
	add_missing(&table, 12 * SECOND, MISSING_UNREADABLE);
	add_level(&table, 14 * SECOND, -7);
	check_known(reduce_of(&table, METRIC_MAXIMUM, 1, 1), -5);
}

static void a_last_reading_that_is_missing_is_not_replaced_by_an_older_one(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 5);
	add_missing(&table, 20 * SECOND, MISSING_UNREADABLE);
	check_missing(reduce_of(&table, METRIC_LAST, 1, 1), MISSING_UNREADABLE);
}

static void a_counter_rule_over_a_gauge_is_malformed(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 5);
	add_level(&table, 20 * SECOND, 6);
	check_missing(reduce_of(&table, METRIC_COUNTER, 1, 1), MISSING_MALFORMED);
}

static void a_result_that_is_no_number_is_malformed(void **state)
{
	struct table table;
	begin(&table, 1, CHANNEL_GAUGE, 0);
	add_level(&table, 10 * SECOND, 1e308);
	check_missing(reduce_of(&table, METRIC_LAST, 1, 1e10), MISSING_MALFORMED);
	add_level(&table, 20 * SECOND, 1e308);
	check_missing(reduce_of(&table, METRIC_GAUGE, 1, 1), MISSING_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_the_difference_over_the_window),
		cmocka_unit_test(samples_outside_the_window_do_not_count),
		cmocka_unit_test(a_counter_that_did_not_move_is_zero_and_not_missing),
		cmocka_unit_test(one_sample_of_a_counter_is_too_few),
		cmocka_unit_test(a_counter_of_32_bits_wraps),
		cmocka_unit_test(a_wrap_of_half_the_width_or_more_is_a_step_backwards),
		cmocka_unit_test(a_counter_of_64_bits_that_falls_is_missing_and_never_negative),
		cmocka_unit_test(a_difference_of_large_counters_is_exact),
		cmocka_unit_test(a_sum_beyond_all_counters_is_malformed),
		cmocka_unit_test(a_cpu_that_goes_and_comes_back_never_makes_the_sum_negative),
		cmocka_unit_test(a_cpu_that_falls_without_a_gap_is_left_out_of_the_sum),
		cmocka_unit_test(a_cpu_that_came_inside_the_window_adds_what_was_seen_of_it),
		cmocka_unit_test(parts_that_are_all_missing_give_the_reason_of_the_first),
		cmocka_unit_test(known_parts_count_beside_missing_ones),
		cmocka_unit_test(what_has_no_meaning_stays_so_unless_another_part_is_missing),
		cmocka_unit_test(a_rate_is_per_second_between_the_samples_used),
		cmocka_unit_test(two_samples_at_one_time_have_no_rate),
		cmocka_unit_test(a_share_is_in_per_cent_and_not_scaled),
		cmocka_unit_test(a_share_of_nothing_is_missing),
		cmocka_unit_test(a_share_of_a_counter_that_ran_backwards_is_missing),
		cmocka_unit_test(a_gauge_is_weighted_by_the_time_that_each_reading_holds),
		cmocka_unit_test(what_is_settled_stays_near_its_last_reading),
		cmocka_unit_test(what_never_moved_settled_at_once),
		cmocka_unit_test(what_still_moves_at_the_end_has_not_settled),
		cmocka_unit_test(a_gauge_that_begins_late_is_the_mean_of_what_was_seen),
		cmocka_unit_test(the_time_of_a_missing_reading_has_no_weight),
		cmocka_unit_test(a_single_reading_at_the_very_end_is_the_mean),
		cmocka_unit_test(gauges_of_several_channels_are_added),
		cmocka_unit_test(the_maximum_of_negative_levels_is_negative),
		cmocka_unit_test(a_last_reading_that_is_missing_is_not_replaced_by_an_older_one),
		cmocka_unit_test(a_counter_rule_over_a_gauge_is_malformed),
		cmocka_unit_test(a_result_that_is_no_number_is_malformed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
