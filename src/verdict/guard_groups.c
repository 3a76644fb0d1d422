/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Were all runs measured on one type of machine, or at least both sides on the same ones? */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"
#include "verdict/session.h"

extern const struct guard guard_groups;

/* What makes a type of machine. Memory is left out: balloons move it. */
static const char *const type_facts[] = {
	"cpu.vendor", "cpu.model_name", "cpu.sockets",     "cpu.possible",
	"node.count", "hypervisor",     "machine.product",
};

static const char *fact_of(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

/* The first fact in which two runs are of different types; NULL when they are of one. What one of
 * them did not record tells nothing. */
static const char *type_differs(const struct run *one, const struct run *other)
{
	for (size_t i = 0; i < ARRAY_SIZE(type_facts); i++) {
		const char *here = fact_of(one, type_facts[i]);
		const char *there = fact_of(other, type_facts[i]);
		if (here && there && !text_equal(here, there))
			return type_facts[i];
	}
	return NULL;
}

static void warn_mixed(struct comparison *comparison, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	for (size_t i = 1; i < order->n; i++) {
		const char *fact = type_differs(order->runs[0], order->runs[i]);
		if (!fact)
			continue;
		guard_warn(comparison, &guard_groups, side, NULL,
			   "the runs of %s are of several types of machine (%s: %s and %s): their "
			   "mean belongs to none",
			   comparison->sides[side].name, fact, fact_of(order->runs[0], fact),
			   fact_of(order->runs[i], fact));
		return;
	}
}

/* Whether a run of the other side was measured on the type of each run of a side. */
static const struct run *without_twin(const struct session *session, bool by_block)
{
	for (size_t i = 0; i < session->n; i++) {
		bool found = false;
		for (size_t j = 0; j < session->n && !found; j++)
			found = session->runs[i].side != session->runs[j].side &&
				(!by_block || session->runs[i].block == session->runs[j].block) &&
				!type_differs(session->runs[i].run, session->runs[j].run);
		if (!found)
			return session->runs[i].run;
	}
	return NULL;
}

/* A difference of type between the first runs of the sides, in words. */
static void withhold(struct comparison *comparison, size_t head, const struct session *session)
{
	const struct run *base = comparison->orders[0].runs[0];
	const struct run *other = comparison->orders[head].runs[0];
	for (size_t i = 0; i < session->n && !type_differs(base, other); i++)
		other = session->runs[i].run;
	const char *fact = type_differs(base, other);
	if (fact)
		guard_withhold(comparison, &guard_groups, head, NULL,
			       "%s and %s were not measured on the same types of machine (%s: %s "
			       "and %s): the change may be the machine's",
			       comparison->sides[0].name, comparison->sides[head].name, fact,
			       fact_of(base, fact), fact_of(other, fact));
}

/* All runs of one machine each, and not the same one. */
static void warn_names(struct comparison *comparison, size_t head)
{
	const char *base = guard_fact(comparison, "machine.name", 0);
	const char *other = guard_fact(comparison, "machine.name", head);
	for (size_t s = 0; base && other && s <= head; s += head)
		for (size_t i = 0; i < comparison->orders[s].n; i++)
			if (!text_equal(fact_of(comparison->orders[s].runs[i], "machine.name"),
					s ? other : base))
				return;
	if (base && other && !text_equal(base, other))
		guard_warn(comparison, &guard_groups, head, NULL,
			   "%s was measured on machine %s only and %s on %s only: two of one type "
			   "differ by some per cent too",
			   comparison->sides[0].name, base, comparison->sides[head].name, other);
}

/* A subject that takes CPUs away has another machine by intention. */
static bool is_intended(const struct comparison *comparison, size_t head)
{
	const struct job *jobs[] = { comparison->sides[0].job, comparison->sides[head].job };
	for (size_t j = 0; j < ARRAY_SIZE(jobs); j++)
		for (size_t i = 0; i < jobs[j]->n_settings; i++)
			if (jobs[j]->settings[i].kind == SETTING_SYSFS &&
			    text_starts_with(jobs[j]->settings[i].key, "devices/system/cpu/"))
				return true;
	return false;
}

static void examine(struct comparison *comparison)
{
	for (size_t side = 0; side < comparison->n_sides; side++)
		warn_mixed(comparison, side);
	for (size_t head = 1; head < comparison->n_sides; head++) {
		AUTO(session) struct session session = session_make(comparison, head);
		if (comparison->orders[0].n == 0 || comparison->orders[head].n == 0)
			continue;
		if (without_twin(&session, session.drawn) && !is_intended(comparison, head))
			withhold(comparison, head, &session);
		else
			warn_names(comparison, head);
	}
}

const struct guard guard_groups = {
	.name = "groups",
	.asks = "were both sides measured on the same machines?",
	.explains =
		"A machine's type is its processor (vendor, model, sockets, possible CPUs), its number of "
		"memory nodes, its hypervisor and product; what was not recorded tells nothing. When a "
		"run has no run of the other side on its own type (in its own block, where blocks were "
		"drawn), then the difference of the machines is in the change, and the verdict is "
		"withheld, unless a subject switches CPUs off by intention. When both sides are spread "
		"over several types alike, the guard warns: the change is a mean over machines, and belongs "
		"to none of them; compare each type by itself. It warns as well when each side was "
		"measured on one machine of the type, and not the same.",
	.examine = examine,
};
