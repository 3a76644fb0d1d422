/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What moved among the monitors: a line for each group that moves together, the most surprising
 * first, and a count of everything that is not shown.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/evidence.h"
#include "report/table.h"

#define GROUPS_MAX_PRESET 20
#define MEMBERS_NAMED_MAX 6 /* More names than these are counted: the group is one cause anyway. */

static const struct row *row_of(const struct table *table, const struct evidence *evidence,
				size_t place)
{
	return &table->comparison->rows[evidence->rows[place]];
}

/* "+ 3 more that move together: a, b, c" */
static void add_members(const struct table *table, const struct evidence *evidence,
			const struct evidence_group *group)
{
	const size_t n = group->n - 1;
	if (n == 0)
		return;
	struct text line = { 0 };
	text_add(&line, "+ %zu more that move%s together: ", n, n == 1 ? "s" : "");
	for (size_t i = 0; i < n && i < MEMBERS_NAMED_MAX; i++)
		text_add(&line, "%s%s", i ? ", " : "",
			 row_of(table, evidence, group->first + 1 + i)->metric.name);
	if (n > MEMBERS_NAMED_MAX)
		text_add(&line, " and %zu others", n - MEMBERS_NAMED_MAX);
	text_add(table->text, "%*s%s", TABLE_DETAIL_INDENT, "", table_dim(table));
	column_wrap(table->text, text_string(&line), table->width - TABLE_DETAIL_INDENT - 2,
		    TABLE_DETAIL_INDENT + 2);
	text_add(table->text, "%s", table_plain(table));
	text_done(&line);
}

static void add_group(const struct table *table, const struct table_section *section,
		      const struct evidence *evidence, const struct evidence_group *group,
		      size_t side)
{
	table_row(table, section, row_of(table, evidence, group->first), side, "");
	for (size_t i = 1; i < group->n && table->options->all; i++)
		table_row(table, section, row_of(table, evidence, group->first + i), side, "+ ");
	if (!table->options->all)
		add_members(table, evidence, group);
	for (size_t i = 0; i < group->n; i++)
		table_mark(table, row_of(table, evidence, group->first + i), side);
}

/* What did not move, for --all, and why what is missing is. */
static void add_quiet(const struct table *table, const struct table_section *section, size_t side,
		      bool has_header)
{
	const struct comparison *comparison = table->comparison;
	bool any = false;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != ROLE_EVIDENCE || evidence_has_moved(comparison, row, side))
			continue;
		if (!has_header && !any)
			table_header(table, section, side);
		any = true;
		table_row(table, section, row, side, "");
		table_mark(table, row, side);
	}
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].metric.role == ROLE_EVIDENCE)
			table_missing(table, &comparison->rows[i], side);
}

/* What the section leaves out, so that nobody takes silence for absence. */
static void add_rest(const struct table *table, const struct evidence *evidence, size_t n_groups)
{
	size_t n_metrics = 0;
	for (size_t i = 0; i < n_groups; i++)
		n_metrics += evidence->groups[i].n;
	const bool is_grouped = evidence->n_groups < evidence->n_moved;
	const size_t n_hidden = evidence->n_moved - n_metrics;
	struct text line = { 0 };
	text_add(&line, "%zu moved", evidence->n_moved);
	if (is_grouped)
		text_add(&line, " in %zu group%s", evidence->n_groups,
			 evidence->n_groups == 1 ? "" : "s");
	if (n_hidden && is_grouped)
		text_add(&line, " (%zu more group%s with %zu metrics not shown)",
			 evidence->n_groups - n_groups,
			 evidence->n_groups - n_groups == 1 ? "" : "s", n_hidden);
	else if (n_hidden)
		text_add(&line, " (%zu more not shown)", n_hidden);
	text_add(&line, ", %zu did not", evidence->n_unmoved);
	if (evidence->n_one_sided)
		text_add(&line, ", %zu %s values on one side only", evidence->n_one_sided,
			 evidence->n_one_sided == 1 ? "has" : "have");
	if (evidence->n_not_judged)
		text_add(&line, ", %zu could not be judged (missing, or fewer than 2 values)",
			 evidence->n_not_judged);
	const bool is_all = n_hidden == 0 && !is_grouped && evidence->n_unmoved == 0 &&
			    evidence->n_one_sided == 0 && evidence->n_not_judged == 0;
	if (!table->options->all && !is_all)
		text_add(&line, "; --all shows every row");
	text_add(table->text, "  ");
	column_wrap(table->text, text_string(&line), table->width - 2, 2);
	text_done(&line);
}

static bool has_evidence(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].metric.role == ROLE_EVIDENCE)
			return true;
	return false;
}

void table_evidence(const struct table *table, const struct table_section *section, size_t side)
{
	if (!has_evidence(table->comparison))
		return;
	AUTO(evidence) struct evidence *evidence = evidence_make(table->comparison, side);
	size_t n_shown = evidence->n_groups;
	if (!table->options->all) {
		const size_t asked = table->options->evidence_max;
		const size_t limit = asked ? asked : GROUPS_MAX_PRESET;
		n_shown = n_shown < limit ? n_shown : limit;
	}
	table_title(table, section);
	for (size_t i = 0; i < n_shown; i++) {
		if (i == 0)
			table_header(table, section, side);
		add_group(table, section, evidence, &evidence->groups[i], side);
	}
	if (table->options->all)
		add_quiet(table, section, side, n_shown > 0);
	add_rest(table, evidence, n_shown);
}
