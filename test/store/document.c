/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, channels and phases as JSON and back; strings that JSON cannot hold; damaged texts. */
#include "store/document.h"

#include "fixture.h"

#include <errno.h>

static void a_job_comes_back_as_it_was(void **state)
{
	struct job *job = fixture_job("he\xff d");
	struct job *back = NULL;
	struct error err = { 0 };

	job->point = mem_text("a \"point\"");
	job->interval_ns = 0;
	job->time_limit_ns = UINT64_MAX;
	free(job->settings[0].value);
	job->settings[0].value = mem_text("");
	char *text = document_job(job);

	CHECK_INT(document_job_back(text, &back, &err), 0);
	char *again = document_job(back);

	CHECK_TEXT(again, text); /* Canonical, so equal texts are equal jobs. */
	CHECK_TEXT(back->subject, "he\xff d");
	CHECK_TEXT(back->point, "a \"point\"");
	CHECK(back->time_limit_ns == UINT64_MAX);
	CHECK_INT(back->semantics, 1);
	CHECK_INT(back->n_arguments, 2);
	CHECK_TEXT(back->arguments[0].text, "2*cpus");
	CHECK_TEXT(back->settings[0].value, "");
	CHECK_TEXT(back->place, "host");
	free(again);
	free(text);
	job_free(back);
	job_free(job);
}

static void a_job_without_anything_optional_comes_back(void **state)
{
	struct job *job = job_new();
	struct job *back = NULL;

	job->workload = mem_text("brk1");
	job->subject = mem_text("base");
	char *text = document_job(job);

	CHECK_INT(document_job_back(text, &back, NULL), 0);
	CHECK(back->place == NULL);
	CHECK(back->point == NULL);
	CHECK_INT(back->n_arguments, 0);
	free(text);
	job_free(back);
	job_free(job);
}

static void damaged_jobs_are_refused(void **state)
{
	static const char *const pairs[][2] = {
		{ "\"subject\":\"base\"", "\"subject\":5" },
		{ "\"subject\":\"base\"", "\"subject\":null" },
		{ "\"subject\":\"base\"", "\"subject\":{\"hex\":\"0\"}" },
		{ "\"subject\":\"base\"", "\"subject\":{\"hex\":\"zz\"}" },
		{ "\"semantics\":1", "\"semantics\":\"1\"" },
		{ "\"kind\":\"sysctl\"", "\"kind\":\"magic\"" },
		{ "\"kind\":\"sysctl\"", "\"kind\":null" },
		{ "\"arguments\":[", "\"arguments\":[{}," },
		{ "\"monitors\":[", "\"monitors\":[7," },
		{ "{", "[" },
	};
	struct job *job = fixture_job("base");
	char *text = document_job(job);

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const char *at = strstr(text, pairs[i][0]);
		struct job *back = NULL;
		struct error err = { 0 };

		CHECK(at != NULL);
		char *damaged = mem_format("%.*s%s%s", (int)(at - text), text, pairs[i][1],
					   at + strlen(pairs[i][0]));

		CHECK_INT(document_job_back(damaged, &back, &err), -EBADMSG);
		CHECK_HOLDS(err.text, "job");
		CHECK(back == NULL);
		free(damaged);
	}
	free(text);
	job_free(job);
}

static void channels_come_back_as_they_were(void **state)
{
	struct run *run = fixture_run(1);
	struct run *back = run_new();
	char *text = document_channels(run->series);

	back->series = mem_zero(sizeof(*back->series));
	back->n_series = 1;
	CHECK_INT(document_channels_back(text, back->series, NULL), 0);
	CHECK_INT(back->series->n_channels, 3);
	CHECK_TEXT(back->series->channels[2].name, "odd\xff name");
	CHECK_INT(back->series->channels[1].kind, CHANNEL_GAUGE);
	CHECK_INT(back->series->channels[2].width_bits, 32);
	free(text);
	run_free(back);
	run_free(run);
}

static void phases_come_back_as_they_were(void **state)
{
	struct run *run = fixture_run(3);
	struct run *back = run_new();

	run->phase_ns[PHASE_STOP] = UINT64_MAX - 1; /* Absurd, and kept all the same. */
	char *text = document_phases(run);

	CHECK_INT(document_phases_back(text, back, NULL), 0);
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		CHECK(back->phase_ns[i] == run->phase_ns[i]);
	CHECK_INT(document_phases_back("[1,2]", back, NULL), -EBADMSG);
	CHECK_INT(document_phases_back(NULL, back, NULL), -EBADMSG);
	CHECK_INT(document_phases_back("[1,2,3,4,5", back, NULL), -EBADMSG);
	free(text);
	run_free(back);
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_comes_back_as_it_was),
		cmocka_unit_test(a_job_without_anything_optional_comes_back),
		cmocka_unit_test(damaged_jobs_are_refused),
		cmocka_unit_test(channels_come_back_as_they_were),
		cmocka_unit_test(phases_come_back_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
