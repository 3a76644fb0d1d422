/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Were the sides measured by turns that were drawn, so that what the machine did meanwhile cannot
 * look like a change? */
#include "base/macros.h"
#include "verdict/guard.h"
#include "verdict/session.h"

extern const struct guard guard_order;

static void examine_head(struct comparison *comparison, size_t head)
{
	const char *base = comparison->sides[0].name;
	const char *name = comparison->sides[head].name;
	AUTO(session) struct session session = session_make(comparison, head);
	if (session.n < 4)
		return; /* So few have no order; another guard speaks of that. */
	if (!session.ordered)
		guard_warn(comparison, &guard_order, head, NULL,
			   "the order in which the runs of %s and %s were measured is not known: a "
			   "machine that drifted in between would look like a change",
			   base, name);
	else if (!session.mixed)
		guard_warn(comparison, &guard_order, head, NULL,
			   "%s and %s were not interleaved (%zu stretches of one side, and chance "
			   "gives about %.0f): whatever the machine did in between counts as a "
			   "change",
			   base, name, session.turns, session.turns_expected);
	else if (session.alternating)
		guard_warn(comparison, &guard_order, head, NULL,
			   "%s and %s took turns strictly: whatever the machine does every second "
			   "run counts as a change; a drawn order is safe",
			   base, name);
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	AUTO(session) struct session session = session_make(comparison, head);
	if (session.ordered)
		text_add(text, "%zu runs in %zu stretches of one side; chance gives about %.0f\n",
			 session.n, session.turns, session.turns_expected);
	text_add(text, "%s\n",
		 session.drawn ? "the order was drawn, in blocks with both sides"
		 : !session.ordered
			 ? "no blocks, and not all runs tell when they began"
			 : "no blocks that both sides share; ordered by when they began");
}

const struct guard guard_order = {
	.name = "order",
	.asks = "were the sides interleaved in an order that was drawn?",
	.explains =
		"A machine warms up, fills its caches, is given to neighbours: its speed drifts. When "
		"all runs of the base come before those of the head, a drift of 3 % over the session "
		"makes the common tests see a change in up to 82 of 100 comparisons of equal sides. "
		"Sides that take turns strictly are fooled by whatever happens every second run, in up "
		"to 51 of 100. Random blocks are safe, because the test then compares with all orders "
		"that could have been drawn. The guard looks at the blocks of the campaign and, where "
		"there are none, at the times at which the runs began: sides count as interleaved when "
		"80 % of their runs lie in blocks that hold both, or when they changed at least half as "
		"often as chance would have it. It warns, since runs of two days are compared with "
		"good reason too; drift and contamination then withhold where they would only warn. "
		"To cure it, measure the subjects in one campaign.",
	.examine = examine,
	.show = show,
};
