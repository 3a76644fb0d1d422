/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of foreign bytes, as a damaged or hostile store may hold them: told to be damaged, or taken
 * and then the same once written and read again.
 */
#include "experiment/plan.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(text) char *json = mem_text_n((const char *)data, size);
	AUTO(plan) struct plan *plan = NULL;
	AUTO(plan) struct plan *back = NULL;
	struct error err = { 0 };
	const int answer = plan_from_json(json, &plan, &err);
	assert((answer == 0) == (plan != NULL));
	if (answer < 0) {
		assert(answer == -EBADMSG && err.text[0]);
		return 0;
	}
	assert(plan->n_jobs == plan->n_points * plan->n_subjects);
	for (size_t i = 0; i < plan->n_runs; i++)
		assert(plan->runs[i].job < plan->n_jobs);
	AUTO(text) char *written = plan_to_json(plan);
	const int damaged = plan_from_json(written, &back, &err);
	assert(damaged == 0);
	AUTO(text) char *again = plan_to_json(back);
	assert(text_equal(written, again));
	return 0;
}
