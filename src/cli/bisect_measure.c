/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds and runs of a bisection. See bisect_measure.h. */
#include "cli/bisect_measure.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/bisect_score.h"
#include "cli/rows.h"
#include "experiment/experiment.h"
#include "experiment/machine.h"
#include "experiment/plan.h"
#include "revision/builder.h"
#include "revision/checkout.h"
#include "revision/elf_file.h"
#include "revision/git.h"
#include "revision/layout.h"
#include "revision/product.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TORN_TRIES 3
#define ALIGN_BYTES 64
#define ALIGN_SHARE 0.5 /* The C library's own start-up functions are not ours to align. */

static inline void auto_release_product(struct product *product)
{
	product_done(product);
}

/* ---- the job ---- */

/* A comma is part of the program, not the end of a value. */
static char *escape_commas(const char *text)
{
	AUTO(text_buffer) struct text escaped = { 0 };
	for (; *text; text++)
		text_add(&escaped, *text == ',' ? "\\," : "%c", *text);
	return text_take(&escaped);
}

int bisect_measure_job(const struct bisect_case *bisection, struct job **ret_job, struct error *err)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	AUTO(plan) struct plan *plan = NULL;
	AUTO(text) char *program = escape_commas(bisection->command);
	AUTO(text) char *parameter = mem_format("program=%s", program);
	const struct catalogue *catalogue = rows_catalogue();
	const struct machine machine = { 0 }; /* The command has no parameter that asks for one. */
	int failed = experiment_add_workload(experiment, "command", catalogue, err);
	if (!failed)
		failed = experiment_add_parameter(experiment, parameter, catalogue, err);
	if (!failed)
		failed = experiment_add_subject(experiment, "commit", err);
	if (failed)
		return failed;
	experiment->time_limit_ns = bisection->time_limit_ns;
	failed = experiment_check(experiment, catalogue, err);
	if (!failed)
		failed = plan_make(experiment, catalogue, &machine, &plan, err);
	if (failed)
		return failed;
	struct job *job = job_copy(plan->jobs[0]);
	for (size_t i = 0; i < job->n_monitors; i++)
		free(job->monitors[i]);
	job->n_monitors = 0; /* Only the score is asked for, hundreds of times. */
	job->interval_ns = 0;
	*ret_job = job;
	return 0;
}

/* The job on a commit: it runs in the tree of its build. */
static struct job *job_in(const struct bisect_measure *measure, uint32_t commit,
			  const char *directory)
{
	struct job *job = job_copy(measure->job);
	free(job->subject);
	job->subject = mem_text(measure->bisection->history->commits[commit].id);
	free(job->point);
	job->point = job_point(measure->job);
	size_t capacity = job->n_settings;
	job->settings = mem_grow(job->settings, &capacity, capacity + 1, sizeof(*job->settings));
	job->settings[job->n_settings++] = (struct setting) {
		.kind = SETTING_PREFIX,
		.key = mem_text(""),
		.value = mem_format("env -C %s", directory),
	};
	return job;
}

int bisect_measure_open(struct bisect_measure *measure, struct error *err)
{
	measure->cache = builder_cache_directory();
	if (strpbrk(measure->cache, " \t"))
		return error_set(
			err, EINVAL,
			"the cache directory '%s' has a blank in its name: set XDG_CACHE_HOME "
			"to another",
			measure->cache);
	int failed = bisect_measure_job(measure->bisection, &measure->job, err);
	if (!failed)
		failed = place_host.check(&measure->place, measure->job, err);
	if (!failed)
		failed = checkout_clone(measure->bisection->repository, measure->cache,
					&measure->clone, err);
	return failed;
}

void bisect_measure_close(struct bisect_measure *measure)
{
	free(measure->clone);
	free(measure->cache);
	job_free(measure->job);
}

/* ---- what is built ---- */

struct making { /* Of one unit. */
	struct bisect_measure *measure;
	const struct bisect_unit_wanted *wanted;
	struct bisect_entry entry;
	struct built built;
	struct product product;
	char *reverted, *reverted_tree; /* The commit that is built with the change taken away. */
	struct run *run;
};

static inline void auto_release_making(struct making *making)
{
	built_done(&making->built);
	product_done(&making->product);
	free(making->reverted);
	free(making->reverted_tree);
	free(making->entry.layout);
	free(making->entry.layout_detail);
	free(making->entry.reason);
	run_free(making->run);
}

static void say(const struct bisect_measure *measure, const char *what, uint32_t commit)
{
	char line[64];
	(void)snprintf(line, sizeof(line), "%s %.10s", what,
		       measure->bisection->history->commits[commit].id);
	if (measure->begins)
		measure->begins(line, measure->user);
}

static void build_begins(void *user)
{
	const struct making *making = user;
	say(making->measure, making->wanted->is_reverted ? "build the revert on" : "build",
	    making->wanted->commit);
}

/* The commit with the change taken away; outcome BROKEN when it does not apply. */
static int make_revert(struct making *making, struct error *err)
{
	const struct bisect_measure *measure = making->measure;
	const struct history_commit *commits = measure->bisection->history->commits;
	AUTO(text)
	char *directory =
		mem_format("%s/revert-%.16s", measure->cache, commits[making->wanted->change].id);
	int failed = checkout_revert(measure->clone, commits[making->wanted->change].id,
				     commits[making->wanted->commit].id, directory,
				     &making->reverted, err);
	if (failed)
		return failed;
	if (!making->reverted) {
		making->entry.outcome = BISECT_ENTRY_BROKEN;
		making->entry.reason =
			mem_text("its revert does not apply cleanly on top of the bad end");
		return 0;
	}
	AUTO(text) char *name = mem_format("%s^{tree}", making->reverted);
	const char *const words[] = { "rev-parse", "--verify", name, NULL };
	return git_run(measure->clone, words, &making->reverted_tree, err);
}

static struct builder_request request_of(struct making *making, uint32_t commit)
{
	const struct bisect_measure *measure = making->measure;
	const struct history_commit *of = &measure->bisection->history->commits[commit];
	const enum bisect_arm arm = making->wanted->arm;
	const bool reverted = making->wanted->is_reverted;
	return (struct builder_request) {
		.clone = measure->clone,
		.cache = measure->cache,
		.commit = reverted ? making->reverted : of->id,
		.tree = reverted ? making->reverted_tree : of->tree,
		.command = measure->bisection->build,
		.arm = arm == BISECT_ARM_ALIGNED ? BUILDER_ALIGNED : BUILDER_PLAIN,
		/* The search takes any build there is; what accuses is built for it alone. */
		.fresh = arm == BISECT_ARM_SEEK ? NULL : measure->campaign_name,
		.interrupted = measure->place.interrupted,
		.begins = build_begins,
		.user = making,
	};
}

/* The paths of a build's program and of the neighbour's, which is made when it is not there yet. */
static int compare_layouts(struct making *making, struct error *err)
{
	const struct bisect_unit_wanted *wanted = making->wanted;
	struct layout layout;
	if (wanted->arm != BISECT_ARM_VERIFY || wanted->commit != wanted->change ||
	    wanted->before == wanted->change || !making->product.program)
		return 0;
	const struct builder_request request = request_of(making, wanted->before);
	struct built neighbour AUTO(built) = { 0 };
	struct product product AUTO(product) = { 0 };
	int failed = builder_get(&request, &neighbour, err);
	if (!failed && !neighbour.is_broken)
		failed = product_read(neighbour.directory, making->measure->bisection->command,
				      &product, err);
	if (failed || !product.program)
		return failed;
	layout_compare(product.program, making->product.program, &layout);
	making->entry.layout = mem_text(layout_kind_text(layout.kind));
	if (layout.kind == LAYOUT_UNKNOWN)
		making->entry.layout_detail = mem_text(layout.reason);
	else if (layout.kind == LAYOUT_CHANGED)
		making->entry.layout_detail =
			mem_format("the bodies of %zu function%s changed (%s%s)", layout.n_changed,
				   layout.n_changed == 1 ? "" : "s", layout.changed[0],
				   layout.n_changed > 1 ? ", ..." : "");
	else if (layout.kind == LAYOUT_SAME)
		making->entry.layout_detail =
			mem_text("no function changed or moved; constants or data did");
	else
		making->entry.layout_detail =
			mem_format("no function's body changed, %zu of %zu lie elsewhere",
				   layout.n_moved, layout.n_functions);
	return 0;
}

static void check_alignment(struct making *making)
{
	AUTO(elf_file) struct elf_file *elf = NULL;
	if (making->wanted->arm != BISECT_ARM_ALIGNED || !making->product.program ||
	    elf_file_read(making->product.program, &elf, /* err= */ NULL))
		return;
	if (elf_file_aligned(elf, ALIGN_BYTES) >= ALIGN_SHARE)
		return;
	making->entry.outcome = BISECT_ENTRY_BROKEN;
	making->entry.reason = mem_text("the build does not take the compiler from PATH");
}

static int build(struct making *making, struct error *err)
{
	const struct builder_request request = request_of(making, making->wanted->commit);
	int failed = builder_get(&request, &making->built, err);
	if (failed)
		return failed;
	if (!making->built.was_cached)
		making->entry.build_sec = clock_seconds(making->built.elapsed_ns);
	if (making->built.is_broken) {
		making->entry.outcome = BISECT_ENTRY_BROKEN;
		making->entry.reason = mem_format("it does not build: %s", making->built.how);
		return 0;
	}
	failed = product_read(making->built.directory, making->measure->bisection->command,
			      &making->product, err);
	if (failed)
		return failed;
	making->entry.has_program = making->product.program != NULL;
	if (making->product.n_files > 0)
		memcpy(making->entry.product, making->product.hash, sizeof(making->entry.product));
	check_alignment(making);
	return compare_layouts(making, err);
}

/* ---- what is run ---- */

/* A run that was none: the commit cannot be had. Its log is the build's. */
static struct run *run_without(const struct making *making)
{
	struct run *run = run_new();
	free(run->workload);
	free(run->reason);
	free(run->log);
	run->workload = mem_text(making->measure->job->workload);
	run->semantics = making->measure->job->semantics;
	run->started_wall_ns = clock_wall_ns();
	run->outcome = RUN_UNSUPPORTED;
	run->reason = mem_text(making->entry.reason);
	run->log = making->built.directory ? builder_log(&making->built) : mem_text("");
	return run;
}

static int carry(struct making *making, const struct job *job, struct error *err)
{
	struct bisect_measure *measure = making->measure;
	const uint64_t before_ns = clock_monotonic_ns();
	int failed = 0;
	for (unsigned i = 0; i < TORN_TRIES; i++) {
		run_free(making->run);
		making->run = NULL;
		if (measure->place.interrupted && *measure->place.interrupted)
			return error_set(err, EINTR, "interrupted");
		failed = place_host.carry(&measure->place, job, /* progress= */ NULL,
					  /* user= */ NULL, &making->run, err);
		if (failed)
			return failed;
		assert(making->run);
		if (making->run->outcome != RUN_TORN)
			break;
	}
	if (making->run->outcome == RUN_INTERRUPTED)
		return error_set(err, EINTR, "interrupted");
	if (making->run->outcome == RUN_TORN)
		return error_set(err, EIO, "the run of %.12s broke off %d times: %s", job->subject,
				 TORN_TRIES, making->run->reason);
	making->entry.run_sec = clock_seconds(clock_monotonic_ns() - before_ns);
	return bisect_score_take(measure->bisection, making->run, &making->entry, err);
}

static int keep(struct making *making, const struct job *job, struct bisect_entries *entries,
		struct error *err)
{
	struct bisect_measure *measure = making->measure;
	struct bisect_entry *entry = &making->entry;
	bisect_entries_put(measure->bisection, entry, making->run);
	entry->sequence = entries->next_sequence;
	const int failed = store_run_put(measure->store, measure->campaign, entry->sequence,
					 /* block= */ 0, job, making->run, &entry->run, err);
	if (failed)
		return failed;
	/* As it would be read back: the decision now and that of a replay must not differ. */
	struct bisect_entry taken;
	const bool is_evidence = bisect_entries_take(measure->bisection, making->run, &taken);
	assert(is_evidence);
	taken.run = entry->run;
	taken.sequence = entry->sequence;
	bisect_entries_add(entries, taken);
	return 0;
}

int bisect_measure_unit(struct bisect_measure *measure, const struct bisect_unit_wanted *wanted,
			struct bisect_entries *entries, struct error *err)
{
	struct making making AUTO(making) = {
		.measure = measure,
		.wanted = wanted,
		.entry = { .arm = wanted->arm,
			   .outcome = BISECT_ENTRY_VALUE,
			   .commit = wanted->commit,
			   .change = wanted->change,
			   .is_reverted = wanted->is_reverted,
			   .session = measure->session },
	};
	int failed = wanted->is_reverted ? make_revert(&making, err) : 0;
	if (!failed && making.entry.outcome == BISECT_ENTRY_VALUE)
		failed = build(&making, err);
	if (failed)
		return failed;
	AUTO(job)
	struct job *job = job_in(measure, wanted->commit,
				 making.built.directory ? making.built.directory : "/");
	if (making.entry.outcome == BISECT_ENTRY_VALUE) {
		say(measure, "run", wanted->commit);
		failed = carry(&making, job, err);
	} else {
		making.run = run_without(&making);
	}
	return failed ? failed : keep(&making, job, entries, err);
}
