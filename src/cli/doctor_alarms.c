/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measured rate is kept in the store, by workload and type of machine, where the guard of the
 * verdicts finds it.
 */
#include "cli/doctor_alarms.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/alarms.h"
#include "cli/alarms_show.h"
#include "cli/command.h"
#include "cli/paths.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "experiment/experiment.h"
#include "store/noise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct asking {
	struct store *store;
	const char *machine;
	bool json;
	json_t *list;  /* Of the workloads, with `json`. */
	uint64_t seed; /* 0: that of the last time, else a new one. */
};

/* The seed stays from one time to the next, so that only new runs bring new splits. */
static int choose_seed(const struct asking *asking, const char *workload, uint64_t *ret_seed,
		       struct error *err)
{
	struct alarm_rate rate = { 0 };
	bool known = false;
	const int failed =
		store_alarms_get(asking->store, asking->machine, workload, &rate, &known, err);
	if (failed)
		return failed;
	*ret_seed = asking->seed ? asking->seed : known ? rate.seed : random_seed_from_system();
	return 0;
}

static int keep(const struct asking *asking, const struct alarms *alarms, struct error *err)
{
	const struct alarm_rate rate = {
		.alpha = ALARMS_ALPHA,
		.n_comparisons = alarms_comparisons(alarms),
		.n_alarms = alarms->n_alarms,
		.low = alarms->low,
		.high = alarms->high,
		.seed = alarms->seed,
		.measured_wall_ns = clock_wall_ns(),
	};
	return store_alarms_put(asking->store, asking->machine, alarms->workload, &rate, err);
}

static int ask(struct asking *asking, const char *workload, struct error *err)
{
	AUTO(alarms) struct alarms *alarms = NULL;
	uint64_t seed = 0;
	int failed = choose_seed(asking, workload, &seed, err);
	if (!failed)
		failed = alarms_measure(asking->store, asking->machine, workload, seed, &alarms,
					err);
	if (!failed)
		failed = keep(asking, alarms, err);
	if (failed)
		return failed;
	if (asking->json)
		(void)json_array_append_new(asking->list, alarms_json(alarms));
	else
		alarms_show(alarms);
	return 0;
}

/* Every workload that has runs on machines of this type, in the order of their names. */
static int ask_all(struct asking *asking, struct error *err)
{
	const struct catalogue *catalogue = rows_catalogue();
	size_t n = 0;
	for (size_t i = 0; i < catalogue->n_workloads; i++) {
		struct run_row *rows = NULL;
		size_t n_rows = 0;
		const char *workload = catalogue->workloads[i]->name;
		const struct run_query query = { .workload = workload,
						 .machine = asking->machine,
						 .limit = 1 };
		int failed = store_run_list(asking->store, &query, &rows, &n_rows, err);
		if (failed)
			return failed;
		run_rows_free(rows, n_rows);
		if (n_rows == 0)
			continue;
		if (n++ > 0 && !asking->json)
			(void)putchar('\n');
		failed = ask(asking, workload, err);
		if (failed)
			return failed;
	}
	if (n == 0 && !asking->json)
		(void)puts("no runs on this type of machine yet: 'assay run WORKLOAD --runs 20' "
			   "makes some");
	return 0;
}

static int check_word(const struct parsed *parsed, struct error *err)
{
	if (parsed->n_words == 0 || catalogue_workload_find(rows_catalogue(), parsed->words[0]))
		return 0;
	return error_set(err, EINVAL, "unknown workload '%s'; 'assay list workloads' lists them",
			 parsed->words[0]);
}

static int measure(const struct parsed *parsed, struct asking *asking, struct error *err)
{
	AUTO(store) struct store *store = NULL;
	int failed = options_number(parsed, "seed", 1, EXPERIMENT_SEED_MAX, &asking->seed, err);
	if (!failed)
		failed = check_word(parsed, err);
	if (!failed)
		failed = paths_store_open(parsed, /* create= */ false, &store, err);
	if (failed)
		return failed;
	asking->store = store;
	if (!asking->json)
		(void)printf("type of machine: %s\n\n", asking->machine);
	return parsed->n_words ? ask(asking, parsed->words[0], err) : ask_all(asking, err);
}

int doctor_alarms(const struct parsed *parsed, const struct run *facts)
{
	struct error err = { 0 };
	AUTO(text) char *machine = store_machine_type(facts);
	struct asking asking = { .machine = machine, .json = options_has(parsed, "json") };
	if (!machine) {
		(void)error_set(
			&err, ENODATA,
			"the type of this machine is not known: /proc/cpuinfo does not name "
			"the processor");
		return say_error(-ENODATA, &err);
	}
	asking.list = asking.json ? json_array() : NULL;
	const int failed = measure(parsed, &asking, &err);
	if (failed) {
		json_decref(asking.list);
		return say_error(failed, &err);
	}
	return asking.json ? say_json(json_pack("{s:s, s:o}", "machine", machine, "workloads",
						asking.list))
			   : say_done(EXIT_NO_REGRESSION);
}
