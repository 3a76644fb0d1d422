/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/sampler.h"

#include "base/clock.h"
#include "base/macros.h"
#include "check.h"
#include "fake.h"

#include <unistd.h>

#include <sys/mman.h>

struct stage {
	struct work *work;
	int fd;
	struct wire *wire;
	struct sampler *sampler;
	uint64_t begin_ns;
};

static struct stage open_stage(const struct monitor *const *monitors, size_t n,
			       uint64_t interval_ns)
{
	static const char *const no_settings[] = { NULL };
	struct stage stage = { .work = fake_work(&fake_fixed, no_settings) };
	struct plan plan = fake_plan(&stage.work);
	plan.monitors = monitors;
	plan.n_monitors = n;
	plan.interval_ns = interval_ns;
	stage.fd = memfd_create("stream", 0);
	CHECK(stage.fd >= 0);
	stage.wire = wire_new(stage.fd);
	const struct wire_hello hello = { .version = "0",
					  .workload = "fake-fixed",
					  .prefix = "fake-fixed",
					  .isolation = "none" };
	CHECK_INT(wire_hello(stage.wire, &hello), 0);
	stage.sampler = sampler_new(&plan, stage.wire);
	return stage;
}

static void begin(struct stage *stage)
{
	struct error err = { 0 };
	CHECK_INT(sampler_start(stage->sampler, &err), 0);
	sampler_first(stage->sampler);
	stage->begin_ns = clock_monotonic_ns();
	CHECK_INT(wire_phase(stage->wire, PHASE_MEASURE, stage->begin_ns), 0);
	sampler_begin(stage->sampler, stage->begin_ns);
}

static struct run *end(struct stage *stage)
{
	sampler_stop(stage->sampler);
	const uint64_t end_ns = sampler_last(stage->sampler, clock_monotonic_ns());
	CHECK_INT(wire_phase(stage->wire, PHASE_STOP, end_ns), 0);
	CHECK_INT(sampler_finish(stage->sampler), 0);
	CHECK_INT(wire_end(stage->wire, RUN_COMPLETE, ""), 0);
	sampler_free(stage->sampler);
	wire_free(stage->wire);
	struct run *run = fake_read(stage->fd);
	(void)close(stage->fd);
	work_free(stage->work);
	return run;
}

static void both_edges_are_sampled_and_lie_in_the_window(void **state)
{
	(void)state;
	const struct monitor *const monitors[] = { &fake_monitor };
	struct stage stage = open_stage(monitors, 1, /* interval_ns= */ 0);
	begin(&stage);
	struct run *run = end(&stage);
	CHECK_INT(run->n_series, 1);
	CHECK_INT(run->series[0].n_samples, 2);
	CHECK_INT(run->series[0].times_ns[0], run->phase_ns[PHASE_MEASURE]);
	CHECK_INT(run->series[0].times_ns[1], run->phase_ns[PHASE_STOP]);
	const struct measured *grown = run_metric_find(run, "fake.grown");
	CHECK(grown && value_is_known(grown->value));
	CHECK_NEAR(grown->value.number, 10, 0);
	run_free(run);
}

static void what_a_sample_leaves_out_is_missing(void **state)
{
	(void)state;
	const struct monitor *const monitors[] = { &fake_monitor };
	struct stage stage = open_stage(monitors, 1, /* interval_ns= */ 0);
	begin(&stage);
	struct run *run = end(&stage);
	const struct measured *never = run_metric_find(run, "fake.never");
	CHECK(never);
	CHECK_INT(never->value.state, VALUE_MISSING);
	CHECK_INT(never->value.why, MISSING_UNSAMPLED);
	run_free(run);
}

static void samples_come_at_the_interval_but_not_for_edge_monitors(void **state)
{
	(void)state;
	const struct monitor *const monitors[] = { &fake_monitor, &fake_edges_monitor };
	struct stage stage = open_stage(monitors, 2, /* interval_ns= */ 20 * NS_PER_MS);
	begin(&stage);
	clock_sleep_until_ns(stage.begin_ns + 210 * NS_PER_MS);
	struct run *run = end(&stage);
	CHECK_INT(run->n_series, 2);
	const struct series *series = &run->series[0];
	/* Ten are due; a busy machine may lose some, but none comes before its time. */
	CHECK(series->n_samples > 2 && series->n_samples <= 13);
	for (uint32_t i = 1; i < series->n_samples; i++)
		CHECK(series->times_ns[i] >= series->times_ns[i - 1]);
	CHECK(series->times_ns[1] >= stage.begin_ns + 20 * NS_PER_MS);
	CHECK_INT(run->series[1].n_samples, 2);
	CHECK_INT(run->costs[0].samples, series->n_samples);
	CHECK_INT(run->costs[1].samples, 2);
	CHECK(run->costs[0].cpu_ns > 0);
	run_free(run);
}

static void a_monitor_that_cannot_work_says_why(void **state)
{
	(void)state;
	const struct monitor *const monitors[] = { &fake_absent_monitor, &fake_monitor };
	struct stage stage = open_stage(monitors, 2, /* interval_ns= */ 0);
	begin(&stage);
	struct run *run = end(&stage);
	CHECK_INT(run->n_costs, 2);
	CHECK_HOLDS(run->costs[0].absent_reason, "planted absence");
	CHECK(!run->costs[1].absent_reason);
	run_free(run);
}

static void no_monitors_need_no_thread(void **state)
{
	(void)state;
	struct stage stage = open_stage(NULL, 0, /* interval_ns= */ NS_PER_MS);
	begin(&stage);
	struct run *run = end(&stage);
	CHECK_INT(run->n_series, 0);
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_edges_are_sampled_and_lie_in_the_window),
		cmocka_unit_test(what_a_sample_leaves_out_is_missing),
		cmocka_unit_test(samples_come_at_the_interval_but_not_for_edge_monitors),
		cmocka_unit_test(a_monitor_that_cannot_work_says_why),
		cmocka_unit_test(no_monitors_need_no_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
