/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for what was measured. A fact that was not recorded is left out or named as unknown. */
#include "report/describe.h"

#include "base/mem.h"
#include "base/text.h"
#include "verdict/sides.h"

#include <assert.h>

#define COST_METRIC "assay.cost.total_cpu_percent"
#define MIB_PER_GIB 1024.0

/* A known fact's text, or NULL. */
static const char *known_fact(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

char *describe_machine(const struct compared_side *side)
{
	const struct run *run = sides_first_run(side);
	const char *model = known_fact(run, "cpu.model_name");
	const char *count = known_fact(run, "cpu.count");
	const char *nodes = known_fact(run, "node.count");
	const char *memory = known_fact(run, "memory.total_mib");
	const char *release = known_fact(run, "kernel.release");
	const char *hypervisor = known_fact(run, "hypervisor");

	struct text text = { 0 };
	text_add(&text, "%s, %s CPUs", model ? model : "unknown CPU model",
		 count ? count : "unknown number of");
	if (nodes && !text_equal(nodes, "1"))
		text_add(&text, " on %s nodes", nodes);
	double mib;
	if (memory && text_parse_f64(memory, &mib))
		text_add(&text, ", %.1f GiB", mib / MIB_PER_GIB);
	text_add(&text, ", Linux %s", release ? release : "(unknown release)");
	if (hypervisor && !text_equal(hypervisor, "none"))
		text_add(&text, ", under %s", hypervisor);
	return text_take(&text);
}

static bool is_set_by_a_subject(const struct comparison *comparison, const char *name)
{
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct job *job = comparison->sides[side].job;
		for (size_t i = 0; i < job->n_settings; i++)
			if (job->settings[i].kind == SETTING_PARAM &&
			    text_equal(job->settings[i].key, name))
				return true;
	}
	return false;
}

char *describe_parameters(const struct comparison *comparison)
{
	const struct job *job = comparison->sides[0].job;
	struct text text = { 0 };
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		if (is_set_by_a_subject(comparison, argument->name))
			continue;
		text_add(&text, "%s%s=%s", text.length ? " " : "", argument->name, argument->value);
		if (argument->text && !text_equal(argument->text, argument->value))
			text_add(&text, " (%s)", argument->text);
	}
	return text_take(&text);
}

char *describe_settings(const struct job *job)
{
	struct text text = { 0 };
	for (size_t i = 0; i < job->n_settings; i++) {
		const struct setting *setting = &job->settings[i];
		const bool has_key = setting->key && setting->key[0];
		text_add(&text, "%s%s%s%s=%s", i ? ", " : "", setting_kind_text(setting->kind),
			 has_key ? " " : "", has_key ? setting->key : "", setting->value);
	}
	if (job->n_settings == 0)
		text_add(&text, "no settings");
	return text_take(&text);
}

char *describe_runs(const struct comparison *comparison, size_t side)
{
	const size_t n = comparison->sides[side].n_runs;
	const size_t n_complete = comparison->counts[side].outcomes[RUN_COMPLETE];
	if (n == n_complete)
		return mem_format("%zu run%s", n, n == 1 ? "" : "s");
	return mem_format("%zu of %zu runs complete", n_complete, n);
}

const char *describe_direction(enum metric_better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return "higher is better";
	case BETTER_LOWER:
		return "lower is better";
	case BETTER_NONE:
		return "no direction";
	case BETTER_UNKNOWN:
	case BETTER_COUNT:
		break;
	}
	return "direction unknown";
}

const struct row *describe_cost_row(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (text_equal(comparison->rows[i].metric.name, COST_METRIC))
			return &comparison->rows[i];
	return NULL;
}
