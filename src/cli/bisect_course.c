/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a bisection. See bisect_course.h. */
#include "cli/bisect_course.h"

#include "base/macros.h"
#include "base/mem.h"
#include "cli/bisect_guards.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOUCHES 8.0    /* A commit that touches a named path counts as so many others. */
#define CANNOT_BE 1e-9 /* One that cannot be the cause: never quite nothing. */
#define CHANGES_MAX 3

void bisect_course_free(struct bisect_course *course)
{
	if (!course)
		return;
	bisect_free(course->bisect);
	free(course->weights);
	free(course->is_excluded);
	free(course);
}

/* ---- what the builds tell ---- */

/* The product of a commit as plain builds of it came out; "" when none is known, or when two differ. */
static void collect_products(const struct bisect_case *bisection,
			     const struct bisect_entries *entries, const char **products)
{
	for (size_t i = 0; i < bisection->n_given; i++) {
		const struct bisect_given *given = &bisection->given[i];
		if (given->product)
			products[given->commit] = given->product;
	}
	for (size_t i = 0; i < entries->n; i++) {
		const struct bisect_entry *entry = &entries->items[i];
		const char **product = &products[entry->commit];
		if (entry->arm > BISECT_ARM_VERIFY || !entry->product[0])
			continue;
		if (*product && strcmp(*product, entry->product) != 0)
			*product = ""; /* Not reproducible: nothing can be told by it. */
		else
			*product = entry->product;
	}
}

static void exclude(struct bisect_course *course)
{
	const struct bisect_case *bisection = course->bisection;
	const size_t n = bisection->history->n;
	const char **products = mem_array(n, sizeof(*products));
	collect_products(bisection, course->entries, products);
	for (uint32_t c = 0; c < n; c++) {
		size_t n_parents = 0;
		const uint32_t *parents = graph_parents(bisection->graph, c, &n_parents);
		for (size_t p = 0; p < n_parents; p++)
			if (products[c] && *products[c] && products[parents[p]] &&
			    strcmp(products[c], products[parents[p]]) == 0 &&
			    bisect_case_is_compiled(bisection, c))
				course->is_excluded[c] = true;
		course->weights[c] = bisect_case_touches(bisection, c) ? TOUCHES : 1.0;
		if (course->is_excluded[c])
			course->weights[c] = CANNOT_BE;
	}
	mem_free_const(products);
}

/* ---- the search ---- */

/* As they come out: the first build that was made, and the first run. */
static void measure_costs(struct bisect_course *course)
{
	const struct bisect_case *bisection = course->bisection;
	double build = 0.0;
	double run = 0.0;
	for (size_t i = course->entries->n; i > 0; i--) {
		const struct bisect_entry *entry = &course->entries->items[i - 1];
		build = entry->build_sec > 0 ? entry->build_sec : build;
		run = entry->run_sec > 0 ? entry->run_sec : run;
	}
	if (bisection->cost_build > 0 || bisection->cost_run > 0) {
		build = bisection->cost_build;
		run = bisection->cost_run;
	}
	course->options.cost_build = build;
	course->options.cost_run = run > 0 ? run : 1.0;
}

static bool has_several_sessions(const struct bisect_course *course)
{
	const struct bisect_entries *entries = course->entries;
	for (size_t i = 1; i < entries->n; i++)
		if (entries->items[i].session != entries->items[0].session)
			return true;
	return course->bisection->n_given > 0;
}

static void set_options(struct bisect_course *course)
{
	const struct bisect_case *bisection = course->bisection;
	const bool numbers = bisection->score != NULL;
	course->options = evidence_preset();
	course->options.oracle = numbers ? BISECT_NUMBERS : BISECT_PASS_FAIL;
	course->options.direction = BISECT_EITHER;
	if (!numbers || bisection->better == BETTER_LOWER)
		course->options.direction = BISECT_UP;
	else if (bisection->better == BETTER_HIGHER)
		course->options.direction = BISECT_DOWN;
	course->options.confidence = bisection->confidence;
	course->options.weights = course->weights;
	course->options.has_sessions = has_several_sessions(course);
	course->options.changes_max = CHANGES_MAX;
	course->options.units_max = bisection->max_runs;
	course->options.seed = bisection->seed;
	measure_costs(course);
	assert(evidence_check(&course->options, /* err= */ NULL) == 0);
}

static struct bisect_unit unit_of(const struct bisect_course *course, uint32_t commit,
				  uint32_t session, enum bisect_purpose purpose, double value)
{
	struct bisect_unit unit = { .commit = commit, .session = session, .purpose = purpose };
	if (course->options.oracle == BISECT_NUMBERS) {
		unit.result = BISECT_VALUE;
		unit.value = value;
	} else {
		unit.result = value != 0.0 ? BISECT_FAIL : BISECT_PASS;
	}
	return unit;
}

/* Runs without a value are no evidence of speed; several in a row say that the commit cannot be judged. */
static void add_entry(struct bisect_course *course, const struct bisect_entry *entry,
		      unsigned *failures)
{
	const enum bisect_purpose purpose =
		entry->arm == BISECT_ARM_SEEK ? BISECT_SEEK : BISECT_VERIFY;
	struct bisect_unit unit =
		unit_of(course, entry->commit, entry->session, purpose, entry->value);
	unsigned *failed = &failures[entry->commit];
	switch (entry->outcome) {
	case BISECT_ENTRY_VALUE:
		*failed = 0;
		break;
	case BISECT_ENTRY_FAILED:
		if (++*failed < BISECT_COURSE_FAILURES)
			return;
		unit.result = BISECT_BROKEN;
		break;
	case BISECT_ENTRY_BROKEN:
		unit.result = BISECT_BROKEN;
		break;
	case BISECT_ENTRY_COUNT:
		assert(0);
	}
	bisect_add(course->bisect, &unit);
}

static void search(struct bisect_course *course)
{
	const struct bisect_case *bisection = course->bisection;
	unsigned *failures = mem_array(bisection->history->n, sizeof(*failures));
	course->bisect = bisect_new(bisection->graph, &course->options);
	for (size_t i = 0; i < bisection->n_given; i++) {
		const struct bisect_given *given = &bisection->given[i];
		const struct bisect_unit unit =
			unit_of(course, given->commit, given->session, BISECT_GIVEN, given->value);
		bisect_add(course->bisect, &unit);
	}
	for (size_t i = 0; i < course->entries->n; i++)
		if (course->entries->items[i].arm <= BISECT_ARM_VERIFY)
			add_entry(course, &course->entries->items[i], failures);
	free(failures);
	course->answer = bisect_answer(course->bisect);
	course->is_logarithmic =
		course->options.oracle == BISECT_NUMBERS && course->answer.is_logarithmic;
}

/* What all that was measured of one commit deviates by, on the scale that is judged. */
static void measure_spread(struct bisect_course *course)
{
	const struct bisect_entries *entries = course->entries;
	double squares = 0.0;
	size_t degrees = 0;
	for (uint32_t c = 0; c < course->bisection->history->n; c++) {
		double mean = 0.0;
		double sum = 0.0;
		size_t n = 0;
		for (size_t i = 0; i < entries->n; i++) {
			const struct bisect_entry *entry = &entries->items[i];
			if (entry->commit != c || entry->arm > BISECT_ARM_VERIFY ||
			    entry->outcome != BISECT_ENTRY_VALUE)
				continue;
			const double value =
				course->is_logarithmic ? log(entry->value) : entry->value;
			const double step = value - mean;
			n++;
			mean += step / (double)n;
			sum += step * (value - mean);
		}
		squares += sum;
		degrees += n > 1 ? n - 1 : 0;
	}
	course->spread = degrees > 0 ? sqrt(squares / (double)degrees) : (double)NAN;
}

/* ---- what is next ---- */

static struct bisect_unit_wanted from_step(const struct bisect_step *step)
{
	assert(step->n_units > 0);
	struct bisect_unit_wanted wanted = { .arm = BISECT_ARM_SEEK, .commit = step->commits[0] };
	wanted.change = wanted.before = wanted.commit;
	if (step->purpose != BISECT_VERIFY)
		return wanted;
	wanted.arm = BISECT_ARM_VERIFY;
	/* The two sides are the two commits of the step; the change is the later one. */
	for (size_t i = 0; i < step->n_units; i++) {
		if (step->commits[i] > wanted.change)
			wanted.change = step->commits[i];
		if (step->commits[i] < wanted.before)
			wanted.before = step->commits[i];
	}
	return wanted;
}

/* The two sides of a found change are known to the answer, also when the step holds one side only. */
static void set_sides(struct bisect_course *course)
{
	for (size_t i = 0; i < course->answer.n_changes; i++) {
		const struct bisect_change *change = &course->answer.changes[i];
		if (change->is_confirmed)
			continue;
		course->next.before = change->before;
		course->next.change = change->after;
	}
}

static void find_next(struct bisect_course *course)
{
	const struct bisect_step *step = bisect_next(course->bisect);
	course->reason = step->reason;
	if (step->phase != BISECT_DONE) {
		course->next = from_step(step);
		if (course->next.arm == BISECT_ARM_VERIFY)
			set_sides(course);
		return;
	}
	for (size_t i = 0; i < course->answer.n_changes; i++) {
		const struct bisect_change *change = &course->answer.changes[i];
		struct bisect_found *found = &course->found[course->n_found++];
		*found = (struct bisect_found) { .change = change,
						 .before = change->before,
						 .after = change->after,
						 .share = (double)NAN };
		if (change->is_confirmed && bisect_guards_next(course, found, &course->next))
			return;
		bisect_guards_ask(course, found);
	}
	course->is_done = true;
}

struct bisect_course *bisect_course_new(const struct bisect_case *bisection,
					const struct bisect_entries *entries)
{
	struct bisect_course *course = mem_zero(sizeof(*course));
	course->bisection = bisection;
	course->entries = entries;
	course->weights = mem_array(bisection->history->n, sizeof(*course->weights));
	course->is_excluded = mem_array(bisection->history->n, sizeof(*course->is_excluded));
	exclude(course);
	set_options(course);
	search(course);
	measure_spread(course);
	find_next(course);
	return course;
}

bool bisect_course_accuses(const struct bisect_course *course)
{
	bool accuses = course->is_done && course->n_found > 0;
	for (size_t i = 0; i < course->n_found && accuses; i++) {
		const struct bisect_found *found = &course->found[i];
		accuses = found->change->is_confirmed;
		for (size_t g = 0; g < BISECT_GUARD_COUNT; g++)
			accuses = accuses && found->guards[g].answer != BISECT_GUARD_OBJECTS;
	}
	return accuses;
}

/* Where the normal distribution leaves so much above it, by halving. */
static double upper_quantile(double share)
{
	double low = 0.0;
	double high = 40.0;
	for (unsigned i = 0; i < 100; i++) {
		const double middle = (low + high) / 2;
		if (erfc(middle / M_SQRT2) / 2 > share)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void bisect_course_halving(const struct bisect_course *course, double *ret_runs, double *ret_builds)
{
	size_t n = 0;
	(void)graph_candidates(course->bisection->graph, &n); /* Only their number. */
	const double steps = ceil(log2((double)n));
	const double distance = fabs(course->answer.ends.estimate) / course->spread;
	*ret_builds = steps + 2.0; /* And the ends. */
	*ret_runs = 0.0;
	if (!course->answer.ends.known || !isfinite(distance) || distance <= 0.0)
		return;
	/* Each step compares the mean of r runs with the middle of the two levels, and all must be right. */
	const double each = (1.0 - course->bisection->confidence) / fmax(steps, 1.0);
	const double quantile = upper_quantile(each);
	*ret_runs = fmax(1.0, ceil(pow(2.0 * quantile / distance, 2.0))) * *ret_builds;
}
