/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Raw samples as CSV. */
#include "cli/show_series.h"

#include "capture.h"
#include "filled.h"

static const char *pattern;

static void show(void *user)
{
	show_series(user, pattern);
}

static struct run *make_run(void)
{
	struct run *run = filled_run(1);
	struct series *series = mem_zero(sizeof(*series));

	run->phase_ns[PHASE_MEASURE] = 10 * FIXTURE_SECOND;
	run->series = series;
	run->n_series = 1;
	series->monitor = mem_text("vmstat");
	series->n_channels = 3;
	series->n_samples = 2;
	series->channels = mem_array(3, sizeof(*series->channels));
	series->channels[0] = (struct channel) { mem_text("ctxt"), CHANNEL_COUNTER, 64 };
	series->channels[1] = (struct channel) { mem_text("free"), CHANNEL_GAUGE, 0 };
	series->channels[2] = (struct channel) { mem_text("odd,\"name"), CHANNEL_COUNTER, 32 };
	series->times_ns = mem_array(2, sizeof(*series->times_ns));
	series->times_ns[0] = 10 * FIXTURE_SECOND - FIXTURE_SECOND / 1000;
	series->times_ns[1] = 11 * FIXTURE_SECOND + FIXTURE_SECOND / 2;
	series->readings = mem_array(6, sizeof(*series->readings));
	series->readings[0] = reading_count(UINT64_MAX);
	series->readings[1] = reading_level(-0.5);
	series->readings[2] = reading_count(0);
	series->readings[3] = reading_count(5);
	series->readings[4] = reading_missing(MISSING_OFFLINE);
	series->readings[5] = reading_count(1);
	return run;
}

static void check_shows(const char *wanted, const char *want)
{
	AUTO(run) struct run *run = make_run();

	pattern = wanted;
	char *have = capture(stdout, show, run);

	CHECK_TEXT(have, want);
	free(have);
}

static void every_sample_stands_with_the_time_since_the_window_opened(void **state)
{
	check_shows(NULL, "monitor,channel,seconds,reading\n"
			  "vmstat,ctxt,-0.001000,18446744073709551615\n"
			  "vmstat,ctxt,1.500000,5\n"
			  "vmstat,free,-0.001000,-0.5\n"
			  "vmstat,free,1.500000,missing (offline)\n"
			  "vmstat,\"odd,\"\"name\",-0.001000,0\n"
			  "vmstat,\"odd,\"\"name\",1.500000,1\n");
}

static void a_pattern_chooses_the_channels(void **state)
{
	check_shows("vmstat.c*", "monitor,channel,seconds,reading\n"
				 "vmstat,ctxt,-0.001000,18446744073709551615\n"
				 "vmstat,ctxt,1.500000,5\n");
	check_shows("nosuch", "monitor,channel,seconds,reading\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_stands_with_the_time_since_the_window_opened),
		cmocka_unit_test(a_pattern_chooses_the_channels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
