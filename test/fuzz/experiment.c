/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiment files of foreign bytes: refused with one line or taken; what was taken can be planned
 * or is refused by the machine, and the plan comes back whole from its JSON.
 */
#include "../experiment/fake_catalogue.h"
#include "base/text.h"
#include "experiment/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 2000 /* Larger plans take their time and show nothing new. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void); /* NOLINT(bugprone-reserved-identifier) */

/* libfyaml 0.7.12 loses a block of 1 KiB at some quoted words of many pieces. */
const char *__lsan_default_suppressions(void) /* NOLINT(bugprone-reserved-identifier) */
{
	return "leak:libfyaml";
}

static size_t count_runs(const struct experiment *experiment)
{
	size_t points = 0;
	for (size_t i = 0; i < experiment->n_selected; i++) {
		size_t of_this = 1;
		for (size_t j = 0; j < experiment->selected[i].n_values; j++)
			of_this *= experiment->selected[i].values[j].n_texts;
		points += of_this;
	}
	return points * experiment->n_subjects * experiment->runs;
}

static void check_plan(const struct experiment *experiment)
{
	static const struct machine machine = {
		.cpus = 4, .cores = 2, .sockets = 1, .nodes = 1, .memory_mib = 1000
	};
	AUTO(plan) struct plan *plan = NULL;
	AUTO(plan) struct plan *back = NULL;
	struct error err = { 0 };
	const int answer = plan_make(experiment, &fake_catalogue, &machine, &plan, &err);
	assert(answer == 0 || (answer == -EINVAL && err.text[0]));
	if (answer < 0)
		return;
	AUTO(text) char *json = plan_to_json(plan);
	const int damaged = plan_from_json(json, &back, &err);
	assert(damaged == 0);
	AUTO(text) char *again = plan_to_json(back);
	assert(text_equal(json, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(experiment) struct experiment *experiment = NULL;
	struct error err = { 0 };
	const int answer = experiment_parse((const char *)data, size, "input.yaml", &fake_catalogue,
					    &experiment, &err);
	assert((answer == 0) == (experiment != NULL));
	if (answer < 0) {
		assert(answer == -EINVAL);
		assert(text_starts_with(err.text, "input.yaml:"));
		assert(!strpbrk(err.text, "\n\r\t"));
	} else if (count_runs(experiment) <= RUNS_MAX) {
		check_plan(experiment);
	}
	return 0;
}
