/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans as JSON text: nothing is lost on the way there and back, and damaged text is told apart. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "check.h"
#include "experiment/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static char *random_text(struct random *random)
{
	static const char *const letters[] = { "a",
					       "Z",
					       "0",
					       " ",
					       "\"",
					       "\\",
					       "/",
					       "%",
					       "=",
					       "\t",
					       "\xc3\xa9",
					       "\xe2\x82\xac",
					       "\xf0\x9f\x98\x80" };
	struct text text = { 0 };
	for (uint64_t n = random_below(random, 9); n > 0; n--)
		text_add(&text, "%s", letters[random_below(random, ARRAY_SIZE(letters))]);
	return text_take(&text);
}

static void fill_lists(struct random *random, struct job *job)
{
	job->n_arguments = random_below(random, 5);
	job->arguments = mem_array(job->n_arguments, sizeof(*job->arguments));
	for (size_t i = 0; i < job->n_arguments; i++)
		job->arguments[i] = (struct argument) { .name = random_text(random),
							.value = random_text(random),
							.text = random_text(random) };
	job->n_settings = random_below(random, 4);
	job->settings = mem_array(job->n_settings, sizeof(*job->settings));
	for (size_t i = 0; i < job->n_settings; i++) {
		const uint64_t kind = random_below(random, SETTING_KIND_COUNT);
		job->settings[i] = (struct setting) { .kind = (enum setting_kind)kind,
						      .key = random_text(random),
						      .value = random_text(random) };
	}
	job->n_monitors = random_below(random, 4);
	job->monitors = mem_array(job->n_monitors, sizeof(char *));
	for (size_t i = 0; i < job->n_monitors; i++)
		job->monitors[i] = random_text(random);
}

static struct job *random_job(struct random *random)
{
	struct job *job = job_new();
	job->workload = random_text(random);
	job->subject = random_text(random);
	job->place = random_text(random);
	job->point = random_below(random, 2) ? random_text(random) : NULL;
	job->semantics = (uint32_t)random_next(random);
	job->interval_ns = random_next(random) >> 1;
	job->time_limit_ns = random_next(random) >> 1;
	fill_lists(random, job);
	return job;
}

static struct plan *random_plan(struct random *random)
{
	struct plan *plan = mem_zero(sizeof(*plan));
	plan->n_subjects = 1 + random_below(random, 3);
	plan->n_points = 1 + random_below(random, 4);
	plan->n_jobs = plan->n_subjects * plan->n_points;
	plan->jobs = mem_array(plan->n_jobs, sizeof(struct job *));
	for (size_t i = 0; i < plan->n_jobs; i++)
		plan->jobs[i] = random_job(random);
	plan->n_runs = random_below(random, 20);
	plan->runs = mem_array(plan->n_runs, sizeof(*plan->runs));
	for (size_t i = 0; i < plan->n_runs; i++)
		plan->runs[i] =
			(struct planned) { .job = (uint32_t)random_below(random, plan->n_jobs),
					   .block = (uint32_t)random_next(random) };
	plan->n_judged = plan->n_subjects - (plan->n_subjects > 1 && random_below(random, 2));
	plan->warm_up = random_below(random, 2);
	plan->better = mem_array(2, sizeof(*plan->better));
	for (uint64_t n = random_below(random, 3); plan->n_better < n; plan->n_better++)
		plan->better[plan->n_better] =
			(struct better) { .metric = random_below(random, 2) ? random_text(random)
									    : NULL,
					  .higher = random_below(random, 2) };
	plan->stopping = (struct stopping) { .until_decided = random_below(random, 2),
					     .runs_max = random_below(random, 100),
					     .time_max_ns = random_next(random) >> 1,
					     .effect_percent = 100 * random_unit(random),
					     .alpha = 0.5 * random_unit(random) };
	plan->seed = random_next(random) >> 1;
	plan->name = random_below(random, 2) ? random_text(random) : NULL;
	plan->question = random_below(random, 2) ? random_text(random) : NULL;
	return plan;
}

static void check_equal_text(const char *one, const char *other)
{
	if (!text_equal(one, other))
		fail_msg("'%s' came back as '%s'", one ? one : "(null)", other ? other : "(null)");
}

static void check_equal_jobs(const struct job *one, const struct job *other)
{
	check_equal_text(one->workload, other->workload);
	check_equal_text(one->subject, other->subject);
	check_equal_text(one->place, other->place);
	check_equal_text(one->point, other->point);
	CHECK_INT(one->semantics, other->semantics);
	CHECK_INT(one->interval_ns, other->interval_ns);
	CHECK_INT(one->time_limit_ns, other->time_limit_ns);
	CHECK_INT(one->n_arguments, other->n_arguments);
	CHECK_INT(one->n_settings, other->n_settings);
	CHECK_INT(one->n_monitors, other->n_monitors);
	for (size_t i = 0; i < one->n_arguments; i++) {
		check_equal_text(one->arguments[i].name, other->arguments[i].name);
		check_equal_text(one->arguments[i].value, other->arguments[i].value);
		check_equal_text(one->arguments[i].text, other->arguments[i].text);
	}
	for (size_t i = 0; i < one->n_settings; i++) {
		CHECK_INT(one->settings[i].kind, other->settings[i].kind);
		check_equal_text(one->settings[i].key, other->settings[i].key);
		check_equal_text(one->settings[i].value, other->settings[i].value);
	}
	for (size_t i = 0; i < one->n_monitors; i++)
		check_equal_text(one->monitors[i], other->monitors[i]);
}

static void check_equal(const struct plan *one, const struct plan *other)
{
	CHECK_INT(one->n_jobs, other->n_jobs);
	CHECK_INT(one->n_runs, other->n_runs);
	CHECK_INT(one->n_points, other->n_points);
	CHECK_INT(one->n_subjects, other->n_subjects);
	CHECK_INT(one->n_judged, other->n_judged);
	CHECK_INT(one->warm_up, other->warm_up);
	CHECK_INT(one->n_better, other->n_better);
	for (size_t i = 0; i < one->n_better; i++) {
		check_equal_text(one->better[i].metric, other->better[i].metric);
		CHECK_INT(one->better[i].higher, other->better[i].higher);
	}
	CHECK_INT(one->stopping.until_decided, other->stopping.until_decided);
	CHECK_INT(one->stopping.runs_max, other->stopping.runs_max);
	CHECK_INT(one->stopping.time_max_ns, other->stopping.time_max_ns);
	CHECK_NEAR(one->stopping.effect_percent, other->stopping.effect_percent, 0);
	CHECK_NEAR(one->stopping.alpha, other->stopping.alpha, 0);
	CHECK_INT(one->seed, other->seed);
	check_equal_text(one->name, other->name);
	check_equal_text(one->question, other->question);
	for (size_t i = 0; i < one->n_jobs; i++)
		check_equal_jobs(one->jobs[i], other->jobs[i]);
	for (size_t i = 0; i < one->n_runs; i++) {
		CHECK_INT(one->runs[i].job, other->runs[i].job);
		CHECK_INT(one->runs[i].block, other->runs[i].block);
	}
}

static void random_plans_come_back_whole(void **state)
{
	struct random random;
	random_seed(&random, 7);
	for (unsigned i = 0; i < 300; i++) {
		AUTO(plan) struct plan *plan = random_plan(&random);
		AUTO(plan) struct plan *back = NULL;
		AUTO(text) char *json = plan_to_json(plan);
		struct error err = { 0 };
		if (plan_from_json(json, &back, &err) < 0)
			fail_msg("%s\n%s", err.text, json);
		check_equal(plan, back);
		AUTO(text) char *again = plan_to_json(back);
		CHECK_TEXT(again, json);
	}
}

#define JOB                                                                                        \
	"{\"workload\":\"w\",\"semantics\":1,\"subject\":\"s\",\"place\":\"host\",\"point\":null," \
	"\"interval_ns\":1,\"time_limit_ns\":1,\"arguments\":[],\"settings\":[],\"monitors\":[]}"
#define HEAD "{\"format\":\"assay-plan\",\"version\":1,\"name\":null,\"question\":null,\"seed\":1,"

#define SMALL HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[[0,0]]}"

#define RULE                                                                                       \
	"\"stopping\":{\"until_decided\":true,\"runs_max\":20,\"time_max_ns\":0,"                  \
	"\"effect_percent\":0,\"alpha\":0.01}"
#define NEW                                                                                        \
	"{\"format\":\"assay-plan\",\"version\":2,\"name\":null,\"question\":null,\"seed\":1,"     \
	"\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[[0,0]],"

/* As version 1 wrote them: three runs of each of two jobs. */
static void a_plan_without_a_rule_was_a_fixed_number(void **state)
{
	AUTO(plan) struct plan *plan = NULL;
	static const char json[] = HEAD "\"n_subjects\":2,\"n_points\":1,\"jobs\":[" JOB "," JOB
					"],\"runs\":[[0,0],[1,0],[0,0],[1,0],[0,1],[1,1]]}";
	CHECK_INT(plan_from_json(json, &plan, NULL), 0);
	CHECK(!plan->stopping.until_decided);
	CHECK(!plan->warm_up);
	CHECK_INT(plan->stopping.runs_max, 3);
	CHECK_INT(plan->n_judged, 2);
}

static void a_torn_plan_is_damaged(void **state)
{
	AUTO(text) char *json = mem_text(SMALL);
	for (size_t length = strlen(json); length-- > 0;) {
		struct plan *plan = NULL;
		struct error err = { 0 };
		json[length] = '\0';
		CHECK_INT(plan_from_json(json, &plan, &err), -EBADMSG);
		CHECK(!plan);
		CHECK(err.text[0]);
	}
}

static void a_plan_with_a_changed_byte_is_whole_or_damaged(void **state)
{
	AUTO(text) char *json = mem_text(SMALL);
	static const char bytes[] = "0\"]{x-";
	for (size_t at = 0; json[at]; at++) {
		const char kept = json[at];
		for (const char *byte = bytes; *byte; byte++) {
			AUTO(plan) struct plan *plan = NULL;
			json[at] = *byte;
			const int answer = plan_from_json(json, &plan, NULL);
			CHECK(answer == 0 ? plan != NULL : answer == -EBADMSG);
		}
		json[at] = kept;
	}
}

static void each_lie_of_a_plan_is_found(void **state)
{
	static const struct {
		const char *json;
		const char *sentence; /* NULL: it is right. */
	} rows[] = {
		{ SMALL, NULL },
		{ "", "damaged plan: line 1" },
		{ "[]", "damaged plan: it does not say that it is one" },
		{ "{\"format\":\"x\"}", "damaged plan: it does not say that it is one" },
		{ "{\"format\":\"assay-plan\"}", "damaged plan: it has no version" },
		{ "{\"format\":\"assay-plan\",\"version\":3}",
		  "the plan is of format version 3, this assay reads up to 2" },
		{ NEW "\"n_judged\":1,\"warm_up\":false,\"better\":[]," RULE "}", NULL },
		{ NEW "\"n_judged\":1,\"warm_up\":false," RULE "}",
		  "damaged plan: it has no directions" },
		{ NEW "\"n_judged\":1,\"warm_up\":false,\"better\":[{\"metric\":\"a\"}]," RULE "}",
		  "damaged plan: a direction is not whole" },
		{ NEW "\"n_judged\":1,\"warm_up\":false}",
		  "damaged plan: its stopping rule is not whole" },
		{ NEW "\"n_judged\":0,\"warm_up\":false," RULE "}",
		  "damaged plan: its stopping rule is not whole" },
		{ NEW "\"n_judged\":2,\"warm_up\":false," RULE "}",
		  "damaged plan: its stopping rule is not whole" },
		{ NEW "\"n_judged\":1,\"warm_up\":0," RULE "}",
		  "damaged plan: its stopping rule is not whole" },
		{ "{\"format\":\"assay-plan\",\"version\":1}",
		  "damaged plan: its head is not whole" },
		{ HEAD "\"n_subjects\":0,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[]}",
		  "damaged plan: its jobs are not points times subjects" },
		{ HEAD "\"n_subjects\":1,\"n_points\":2,\"jobs\":[" JOB "],\"runs\":[]}",
		  "damaged plan: its jobs are not points times subjects" },
		{ HEAD "\"n_subjects\":1,\"n_points\":0,\"jobs\":[],\"runs\":[]}",
		  "damaged plan: its jobs are not points times subjects" },
		{ HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[{}],\"runs\":[]}",
		  "damaged plan: a job is not whole" },
		{ HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[[1,0]]}",
		  "damaged plan: a run is not of its jobs" },
		{ HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[[0,-1]]}",
		  "damaged plan: a run is not of its jobs" },
		{ HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB
		       "],\"runs\":[[0,4294967296]]}",
		  "damaged plan: a run is not of its jobs" },
		{ HEAD "\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "]}",
		  "damaged plan: it has no runs" },
		{ HEAD "\"seed\":2}", "damaged plan: line 1" },
		{ "{\"format\":\"assay-plan\",\"version\":1,\"name\":null,\"question\":null,"
		  "\"seed\":1.5,\"n_subjects\":1,\"n_points\":1,\"jobs\":[" JOB "],\"runs\":[]}",
		  "damaged plan: its head is not whole" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO(plan) struct plan *plan = NULL;
		struct error err = { 0 };
		CHECK_INT(plan_from_json(rows[i].json, &plan, &err),
			  rows[i].sentence ? -EBADMSG : 0);
		if (rows[i].sentence)
			CHECK_HOLDS(err.text, rows[i].sentence);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_plans_come_back_whole),
		cmocka_unit_test(a_plan_without_a_rule_was_a_fixed_number),
		cmocka_unit_test(a_torn_plan_is_damaged),
		cmocka_unit_test(a_plan_with_a_changed_byte_is_whole_or_damaged),
		cmocka_unit_test(each_lie_of_a_plan_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
