/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay store`: check, backup, merge, gc. */
#include "store/store.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/paths.h"
#include "cli/say.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct action { /* What `assay store WORD` does. */
	const char *name;
	size_t n_words;    /* Behind the name. */
	const char *needs; /* What the word is, for the error. */
	int (*act)(struct store *store, const struct parsed *parsed, int *ret_code,
		   struct error *err);
};

static void say_finding(const char *line, void *user)
{
	json_t *findings = user;
	if (findings)
		(void)json_array_append_new(findings, json_string(line));
	else
		(void)printf("%s\n", line);
}

static int act_check(struct store *store, const struct parsed *parsed, int *ret_code,
		     struct error *err)
{
	uint64_t bad = 0;
	const bool json = options_has(parsed, "json");
	json_t *findings = json ? json_array() : NULL;
	const int failed = store_check(store, say_finding, findings, &bad, err);
	if (failed) {
		json_decref(findings);
		return failed;
	}
	*ret_code = bad ? EXIT_SURROUNDINGS : EXIT_NO_REGRESSION;
	if (json)
		(void)say_json(
			json_pack("{s:I, s:o}", "bad", (json_int_t)bad, "findings", findings));
	else
		(void)printf(bad ? "%" PRIu64 " findings\n" : "the store is sound\n", bad);
	return 0;
}

static int act_backup(struct store *store, const struct parsed *parsed, int *ret_code,
		      struct error *err)
{
	const int failed = store_backup(store, parsed->words[1], err);
	if (failed)
		return failed;
	*ret_code = EXIT_NO_REGRESSION;
	if (options_has(parsed, "json"))
		(void)say_json(json_pack("{s:s}", "backup", parsed->words[1]));
	else
		(void)printf("backed up to %s\n", parsed->words[1]);
	return 0;
}

static int act_merge(struct store *store, const struct parsed *parsed, int *ret_code,
		     struct error *err)
{
	uint64_t runs = 0;
	const int failed = store_merge(store, parsed->words[1], &runs, err);
	if (failed)
		return failed;
	*ret_code = EXIT_NO_REGRESSION;
	if (options_has(parsed, "json"))
		(void)say_json(json_pack("{s:I}", "runs", (json_int_t)runs));
	else
		(void)printf("%" PRIu64 " run%s taken from %s\n", runs, runs == 1 ? "" : "s",
			     parsed->words[1]);
	return 0;
}

static int act_gc(struct store *store, const struct parsed *parsed, int *ret_code,
		  struct error *err)
{
	uint64_t bytes = 0;
	const int failed = store_gc(store, &bytes, err);
	if (failed)
		return failed;
	*ret_code = EXIT_NO_REGRESSION;
	if (options_has(parsed, "json"))
		(void)say_json(json_pack("{s:I}", "freed_bytes", (json_int_t)bytes));
	else
		(void)printf("%" PRIu64 " KiB freed\n", bytes / 1024);
	return 0;
}

static const struct action actions[] = {
	{ .name = "backup", .n_words = 1, .needs = "a file to write", .act = act_backup },
	{ .name = "check", .act = act_check },
	{ .name = "gc", .act = act_gc },
	{ .name = "merge",
	  .n_words = 1,
	  .needs = "the directory of another store",
	  .act = act_merge },
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	const struct action *action = parsed->n_words ? find_action(parsed->words[0]) : NULL;
	if (!action)
		return say_usage("store %s%s: check, backup FILE, merge DIR or gc",
				 parsed->n_words ? "does not know " : "does what",
				 parsed->n_words ? parsed->words[0] : "?");
	if (parsed->n_words != action->n_words + 1)
		return say_usage("store %s needs %s", action->name,
				 action->needs ? action->needs : "no further words");
	AUTO(store) struct store *store = NULL;
	int code = EXIT_SURROUNDINGS;
	int failed = paths_store_open(parsed, /* create= */ strcmp(action->name, "merge") == 0,
				      &store, &err);
	if (!failed)
		failed = action->act(store, parsed, &code, &err);
	return failed ? say_error(failed, &err) : say_done(code);
}

static const struct option_row options[] = { OPTION_JSON, OPTION_STORE, { 0 } };

const struct command_row command_store = {
	.name = "store",
	.words = "check|backup FILE|merge DIR|gc",
	.what = "care for the store of runs",
	.options = options,
	.run = run,
	.completes = "store",
};
