/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the tests that were made, and their explanations. See method.h. */
#include "report/method.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

/* Of the tests by order: what is judged by logarithms is told as a factor. */
#define CHANGE_BY_SHIFT                                                                            \
	"Change: Hodges-Lehmann's, the median of the differences of head and base "                \
	"within the blocks, or of their ratios where all values are above 0"

static const struct {
	const char *name;
	const char *explains;
} methods[] = {
	{ "block permutation",
	  "were the runs shuffled within their random blocks, how often would the sides lie as far "
	  "apart? By ranks after each block's median is taken off; right however the machine "
	  "drifts. " CHANGE_BY_SHIFT "; interval: all shifts that this test would not reject" },
	{ "sequential block permutation",
	  "block permutation, asked after each block while the runs came in: were the runs shuffled "
	  "within their blocks, how often would the sides lie as far apart? Each look spends its part "
	  "of the false-alarm rate, so that all looks together keep it. " CHANGE_BY_SHIFT
	  "; interval over all runs" },
	{ "moderated t",
	  "a t test that also knows how much such metrics usually scatter, for few runs; it assumes "
	  "independent, roughly normal runs. Change: the mean difference within the blocks, or the "
	  "geometric mean of the ratios where all values are above 0" },
	{ "Welch t",
	  "a t test of the difference of the means with each side's own deviation; it assumes "
	  "independent, roughly normal runs. Change: the ratio of the two means" },
	{ "Mann-Whitney",
	  "are the values of one side mostly above those of the other? By ranks over all runs; it "
	  "assumes independent runs. Change: Hodges-Lehmann's, the median over all pairs of runs" },
	{ "exact", "the metric was constant on both sides: any difference is a change" },
};

static bool is_listed(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (text_equal(names[i], name))
			return true;
	return false;
}

static size_t names_of_row(const struct comparison *comparison, const struct row *row, size_t n,
			   const char **names)
{
	for (size_t side = 1; side < comparison->n_sides; side++) {
		const char *name = row->findings[side].method;
		if (row->findings[side].tested && name && n < METHOD_NAMES_MAX &&
		    !is_listed(names, n, name))
			names[n++] = name;
	}
	return n;
}

size_t method_names(const struct comparison *const *comparisons, size_t n, enum metric_role role,
		    const char *ret_names[static METHOD_NAMES_MAX])
{
	size_t n_names = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t row = 0; row < comparisons[i]->n_rows; row++)
			if (comparisons[i]->rows[row].metric.role == role)
				n_names = names_of_row(comparisons[i], &comparisons[i]->rows[row],
						       n_names, ret_names);
	return n_names;
}

char *method_text(const struct comparison *const *comparisons, size_t n, enum metric_role role)
{
	const char *names[METHOD_NAMES_MAX];
	const size_t n_names = method_names(comparisons, n, role, names);
	struct text text = { 0 };
	for (size_t i = 0; i < n_names; i++)
		text_add(&text, "%s%s", i ? ", " : "", names[i]);
	if (n_names == 0)
		text_add(&text, "none");
	return text_take(&text);
}

const char *method_explain(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (text_equal(methods[i].name, name))
			return methods[i].explains;
	return NULL;
}

const char *method_adjustment(const struct comparison *comparison, enum metric_role role)
{
	if (role == ROLE_SCORE)
		return comparison->options.sequential_max ? "Bonferroni" : "Holm";
	return comparison->options.strict ? "Benjamini-Yekutieli" : "Benjamini-Hochberg";
}

size_t method_family_size(const struct comparison *comparison, enum metric_role role)
{
	if (role != ROLE_SCORE)
		return comparison->n_evidence_tested;
	const bool is_fixed = comparison->options.sequential_max && comparison->options.n_family;
	return is_fixed ? comparison->options.n_family : comparison->n_scores_tested;
}
