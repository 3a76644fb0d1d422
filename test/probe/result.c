/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/result.h"

#include "base/clock.h"
#include "check.h"
#include "fake.h"
#include "probe/barrier.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <sys/mman.h>

static struct error err;

/* Three loops in threads for each copy, that were measured when `measured`, and have ended. */
static struct workers *loops_that_ran(const struct plan *plan, bool measured)
{
	struct workers *workers = NULL;
	CHECK_INT(workers_new(plan, clock_monotonic_ns() + 20 * NS_PER_SEC, &workers, &err), 0);
	CHECK_INT(workers_start(workers, &err), 0);
	workers_release(workers);
	if (measured) {
		(void)workers_note(workers, /* at_end= */ false);
		workers_tell(workers, PHASE_MEASURE);
		CHECK_INT(workers_watch(workers, clock_monotonic_ns() + 50 * NS_PER_MS, &err), 0);
		(void)workers_note(workers, /* at_end= */ true);
	}
	workers_tell(workers, PHASE_STOP);
	CHECK_INT(workers_await_still(workers, &err), 0);
	workers_dismiss(workers);
	CHECK_INT(workers_reap(workers, &err), 0);
	return workers;
}

static const char *const two_threads[] = { "mode=thread", "nr_task=2", NULL };
static const char *const three_threads[] = { "mode=thread", "nr_task=3", NULL };
static const struct window some_window = { .begin_ns = 1000, .end_ns = 13345 };

/* Its operations over its own time, or over all of the window where workers take turns. */
static double own_rate(const struct workers *workers, unsigned index)
{
	const struct slot *slot = workers_slot(workers, index);
	if (workers_take_turns(workers)) {
		const uint64_t operations = workers_noted(workers, index);
		return (double)operations /
		       clock_seconds(some_window.end_ns - some_window.begin_ns);
	}
	return (double)(slot->end.operations - slot->begin.operations) /
	       clock_seconds(slot->end.at_ns - slot->begin.at_ns);
}

static double number_of(const struct run *run, const char *name)
{
	const struct measured *measured = run_metric_find(run, name);
	if (!measured || !value_is_known(measured->value))
		fail_msg("no known metric %s", name);
	return measured->value.number;
}

/* What is sent of scores and workers, read back. */
static struct run *sent(const struct plan *plan, const struct workers *workers,
			const struct window *window)
{
	const int fd = memfd_create("stream", 0);
	struct wire *wire = wire_new(fd);
	const struct wire_hello hello = {
		.version = "0", .workload = "fake", .prefix = "will-it-scale", .isolation = "none"
	};
	CHECK_INT(wire_hello(wire, &hello), 0);
	if (workers) {
		CHECK_INT(result_send_scores(wire, plan, workers, window), 0);
		CHECK_INT(result_send_workers(wire, plan, workers, window), 0);
	} else {
		CHECK_INT(result_send_no_scores(wire, plan), 0);
	}
	CHECK_INT(wire_end(wire, workers ? RUN_COMPLETE : RUN_FAILED, "planted"), 0);
	wire_free(wire);
	struct run *run = fake_read(fd);
	(void)close(fd);
	return run;
}

static void the_rate_is_the_sum_of_each_workers_own(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, two_threads);
	const struct plan plan = fake_plan(&work);
	struct workers *workers = loops_that_ran(&plan, /* measured= */ true);
	if (workers_take_turns(workers)) {
		(void)fprintf(stderr, "skipped: this machine has no CPU for each of two workers\n");
		workers_free(workers);
		work_free(work);
		skip();
	}
	CHECK_INT(result_check(&plan, workers, &err), 0);
	struct run *run = sent(&plan, workers, &some_window);
	double rate = 0;
	CHECK_INT(run->n_workers, 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct slot *slot = workers_slot(workers, i);
		rate += own_rate(workers, i);
		CHECK(run->workers[i].operations > 0);
		CHECK_INT(run->workers[i].operations,
			  slot->end.operations - slot->begin.operations);
		CHECK_INT(run->workers[i].elapsed_ns, slot->end.at_ns - slot->begin.at_ns);
	}
	CHECK_NEAR(number_of(run, "will-it-scale.workload"), rate, rate * 1e-12);
	CHECK_NEAR(number_of(run, "will-it-scale.per_thread_ops"), rate / 2, rate * 1e-12);
	CHECK(!run_metric_find(run, "will-it-scale.instance0.workload"));
	const struct usage usage = result_usage(workers, &some_window);
	CHECK_INT(usage.elapsed_ns, 12345);
	CHECK(usage.voluntary_switches > 0);
	run_free(run);
	workers_free(workers);
	work_free(work);
}

static void copies_side_by_side_give_a_whole_and_each_its_own(void **state)
{
	(void)state;
	struct work *works[2] = { fake_work(&fake_loop, three_threads),
				  fake_work(&fake_loop, three_threads) };
	struct plan plan = fake_plan(works);
	plan.n_works = 2;
	struct workers *workers = loops_that_ran(&plan, /* measured= */ true);
	CHECK_INT(workers_count(workers), 6);
	struct run *run = sent(&plan, workers, &some_window);
	double rates[2] = { 0, 0 };
	for (unsigned i = 0; i < 6; i++)
		rates[i / 3] += own_rate(workers, i);
	const double rate = rates[0] + rates[1];
	CHECK_NEAR(number_of(run, "will-it-scale.instance0.workload"), rates[0], rate * 1e-12);
	CHECK_NEAR(number_of(run, "will-it-scale.instance1.workload"), rates[1], rate * 1e-12);
	CHECK_NEAR(number_of(run, "will-it-scale.workload"), rate, rate * 1e-12);
	CHECK_NEAR(number_of(run, "will-it-scale.per_thread_ops"), rate / 6, rate * 1e-12);
	CHECK_INT(run_metric_find(run, "will-it-scale.workload")->metric.role, ROLE_RESTATED);
	CHECK_INT(run_metric_find(run, "will-it-scale.instance1.workload")->metric.role,
		  ROLE_EVIDENCE);
	run_free(run);
	workers_free(workers);
	work_free(works[0]);
	work_free(works[1]);
}

/* Fixed work, done; the window is from its release until its last end. */
static struct workers *fixed_that_ran(const struct plan *plan, struct window *ret_window)
{
	struct workers *workers = NULL;
	CHECK_INT(workers_new(plan, clock_monotonic_ns() + 20 * NS_PER_SEC, &workers, &err), 0);
	CHECK_INT(workers_start(workers, &err), 0);
	ret_window->begin_ns = clock_monotonic_ns();
	workers_release(workers);
	CHECK_INT(workers_reap(workers, &err), 0);
	ret_window->end_ns = clock_monotonic_ns();
	return workers;
}

static void of_fixed_copies_the_slowest_gives_the_time(void **state)
{
	(void)state;
	const char *const slow[] = { "nr_task=2", "how=slow", NULL };
	const char *const plain[] = { "nr_task=2", NULL };
	struct work *works[2] = { fake_work(&fake_fixed, plain), fake_work(&fake_fixed, slow) };
	char anything = 0;
	work_share(works[0], &anything);
	struct plan plan = fake_plan(works);
	plan.n_works = 2;
	struct window window = { 0 };
	struct workers *workers = fixed_that_ran(&plan, &window);
	CHECK(window.end_ns - window.begin_ns < 15 * NS_PER_SEC);
	struct run *run = sent(&plan, workers, &window);
	const double first = number_of(run, "fake-fixed.instance0.time_sec");
	const double second = number_of(run, "fake-fixed.instance1.time_sec");
	CHECK(second >= 0.4);
	CHECK(first > 0);
	CHECK_NEAR(number_of(run, "fake-fixed.time_sec"), first > second ? first : second, 0);
	/* Percentages of copies do not add up; the worst copy's is the whole's. */
	CHECK_NEAR(number_of(run, "fake-fixed.instance0.prepared"), 100, 0);
	CHECK_NEAR(number_of(run, "fake-fixed.instance1.prepared"), 0, 0);
	CHECK_NEAR(number_of(run, "fake-fixed.prepared"), 0, 0);
	CHECK_INT(run->workers[3].operations, 7);
	CHECK_INT(run->workers[3].elapsed_ns,
		  workers_slot(workers, 3)->end.at_ns - window.begin_ns);
	run_free(run);
	workers_free(workers);
	work_free(works[0]);
	work_free(works[1]);
}

static void of_fixed_work_only_the_tasks_that_count_operations_are_sent(void **state)
{
	(void)state;
	const char *const second_idles[] = { "nr_task=3", "how=idle", NULL };
	struct work *work = fake_work(&fake_fixed, second_idles);
	const struct plan plan = fake_plan(&work);
	struct window window = { 0 };
	struct workers *workers = fixed_that_ran(&plan, &window);
	struct run *run = sent(&plan, workers, &window);
	const unsigned counting[] = { 0, 2 };
	CHECK_INT(run->n_workers, 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct slot *slot = workers_slot(workers, counting[i]);
		CHECK_INT(run->workers[i].operations, 7);
		CHECK_INT(run->workers[i].elapsed_ns, slot->end.at_ns - window.begin_ns);
		CHECK(run->workers[i].elapsed_ns < window.end_ns - window.begin_ns);
	}
	run_free(run);
	workers_free(workers);
	work_free(work);
}

static void a_window_without_a_batch_is_no_measurement(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, three_threads);
	const struct plan plan = fake_plan(&work);
	struct workers *workers = loops_that_ran(&plan, /* measured= */ false);
	CHECK_INT(result_check(&plan, workers, &err), -ETIME);
	CHECK_HOLDS(err.text, "worker 0 completed no batch");
	workers_free(workers);
	work_free(work);
}

/* The process may use one CPU alone, or all that it may. */
static void use_cpus(const cpu_set_t *all, bool only_one)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, all))
			CPU_SET(cpu, &one);
	CHECK_INT(sched_setaffinity(0, sizeof(one), only_one ? &one : all), 0);
}

static void workers_that_take_turns_count_in_all_of_the_window(void **state)
{
	(void)state;
	cpu_set_t all;
	struct work *work = fake_work(&fake_loop, three_threads);
	const struct plan plan = fake_plan(&work);
	CHECK_INT(sched_getaffinity(0, sizeof(all), &all), 0);
	use_cpus(&all, /* only_one= */ true);
	struct workers *workers = loops_that_ran(&plan, /* measured= */ true);
	use_cpus(&all, /* only_one= */ false);
	CHECK(workers_take_turns(workers));
	CHECK_INT(result_check(&plan, workers, &err), 0);
	struct run *run = sent(&plan, workers, &some_window);
	const uint64_t length_ns = some_window.end_ns - some_window.begin_ns;
	uint64_t operations = 0;
	for (unsigned i = 0; i < 3; i++) {
		CHECK_INT(run->workers[i].operations, workers_noted(workers, i));
		CHECK_INT(run->workers[i].elapsed_ns, length_ns);
		operations += workers_noted(workers, i);
	}
	CHECK(operations > 0);
	CHECK_NEAR(number_of(run, "will-it-scale.workload"),
		   (double)operations / clock_seconds(length_ns), 1e-3);
	run_free(run);
	workers_free(workers);
	work_free(work);
}

static void the_scores_of_a_failed_run_are_missing_and_not_zero(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, three_threads);
	const struct plan plan = fake_plan(&work);
	struct run *run = sent(&plan, NULL, NULL);
	const struct measured *score = run_metric_find(run, "will-it-scale.per_thread_ops");
	CHECK(score);
	CHECK_INT(score->value.state, VALUE_MISSING);
	CHECK_INT(score->value.why, MISSING_FAILED);
	run_free(run);
	work_free(work);
}

int main(void)
{
	barrier_hold_back_child_signals();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rate_is_the_sum_of_each_workers_own),
		cmocka_unit_test(copies_side_by_side_give_a_whole_and_each_its_own),
		cmocka_unit_test(of_fixed_copies_the_slowest_gives_the_time),
		cmocka_unit_test(of_fixed_work_only_the_tasks_that_count_operations_are_sent),
		cmocka_unit_test(a_window_without_a_batch_is_no_measurement),
		cmocka_unit_test(workers_that_take_turns_count_in_all_of_the_window),
		cmocka_unit_test(the_scores_of_a_failed_run_are_missing_and_not_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
