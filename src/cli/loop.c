/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --command and --score. See loop.h. */
#include "cli/loop.h"

#include "base/auto.h"
#include "base/text.h"
#include "intake/adapter.h"

#include <errno.h>
#include <string.h>

bool loop_is_given(const struct parsed *parsed)
{
	return options_has(parsed, "command");
}

int loop_check(const struct parsed *parsed, struct error *err)
{
	size_t n = 0;
	for (size_t i = 0; i < parsed->n_options; i++)
		n += strcmp(parsed->options[i].row->name, "command") == 0;
	if (n > 1)
		return error_set(err, EINVAL,
				 "--command is given twice; compare two by subjects: --subject "
				 "'head:param.program=...'");
	if (n == 0 && options_has(parsed, "score"))
		return error_set(err, EINVAL,
				 "--score says what --command is judged by, and there is no "
				 "--command; a workload has its own scores");
	if (n > 0 && parsed->n_words > 0)
		return error_set(err, EINVAL,
				 "--command is measured alone: '%s' is too much (is the command in "
				 "quotes?)",
				 parsed->words[0]);
	return 0;
}

/* A comma inside a value is written so. */
static int add(struct experiment *experiment, const char *name, const char *value,
	       const struct catalogue *catalogue, struct error *err)
{
	struct text piece AUTO(text_buffer) = { 0 };
	text_add(&piece, "%s=", name);
	for (const char *at = value; *at; at++)
		text_add(&piece, "%s%c", *at == ',' ? "\\" : "", *at);
	return experiment_add_parameter(experiment, text_string(&piece), catalogue, err);
}

int loop_add(const struct parsed *parsed, struct experiment *experiment,
	     const struct catalogue *catalogue, struct error *err)
{
	struct text scores AUTO(text_buffer) = { 0 };
	AUTO(adapter) struct adapter *adapter = NULL;
	for (size_t i = 0; i < parsed->n_options; i++)
		if (strcmp(parsed->options[i].row->name, "score") == 0)
			text_add(&scores, "%s%s", scores.length ? ";;" : "",
				 parsed->options[i].value);
	int failed = 0;
	if (scores.length)
		failed = adapter_from_words(text_string(&scores), &adapter, err);
	if (!failed)
		failed = experiment_add_workload(experiment, "command", catalogue, err);
	if (!failed)
		failed = add(experiment, "program", options_value(parsed, "command"), catalogue,
			     err);
	if (!failed && scores.length)
		failed = add(experiment, "score", text_string(&scores), catalogue, err);
	return failed;
}
