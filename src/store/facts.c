/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts as JSON: an array, sorted by name, of [name, text], [name, {"missing": reason}] or
 * [name, {"not_applicable": true}]; among a run's own also [name, null]: the set has it, this run
 * does not.
 */
#include "store/facts.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/document.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* Names that begin so change from run to run and never belong into a set. */
static const char *const volatile_names[] = { "load.", "steal.", "process." };

static bool is_volatile(const struct fact *fact)
{
	for (size_t i = 0; i < ARRAY_SIZE(volatile_names); i++)
		if (text_starts_with(fact->name, volatile_names[i]))
			return true;
	return false;
}

/* One pair of the text. */
struct entry {
	char *name;
	bool is_absent; /* [name, null]. */
	enum value_state state;
	enum missing why;
	char *text;
};

static struct entry entry_of(const struct fact *fact) /* Borrows the strings. */
{
	return (struct entry) {
		.name = fact->name,
		.state = fact->state,
		.why = fact->why,
		.text = fact->text,
	};
}

static json_t *state_of(const struct entry *entry)
{
	switch (entry->state) {
	case VALUE_KNOWN:
		return document_string(entry->text ? entry->text : "");
	case VALUE_NOT_APPLICABLE:
		return json_pack("{s:b}", "not_applicable", 1);
	case VALUE_MISSING:
	case VALUE_STATE_COUNT:
		break;
	}
	return json_pack("{s:i}", "missing", (int)entry->why);
}

static void add(json_t *facts, const char *name, json_t *state)
{
	json_t *pair = json_array();
	int rc = json_array_append_new(pair, document_string(name));

	if (rc == 0)
		rc = json_array_append_new(pair, state);
	if (rc == 0)
		rc = json_array_append_new(facts, pair);
	assert(rc == 0);
	(void)rc;
}

struct entries {
	struct entry *list;
	size_t n;
};

static void entries_done(struct entries *entries)
{
	for (size_t i = 0; i < entries->n; i++) {
		free(entries->list[i].name);
		free(entries->list[i].text);
	}
	free(entries->list);
}

static inline void auto_release_entries(struct entries *entries)
{
	entries_done(entries);
}

static bool entry_back(const json_t *pair, struct entry *entry)
{
	const json_t *state = json_array_get(pair, 1);
	const json_t *missing = json_object_get(state, "missing");

	if (!document_string_back(json_array_get(pair, 0), &entry->name) || !entry->name ||
	    !entry->name[0])
		return false;
	if (json_is_integer(missing)) {
		const json_int_t why = json_integer_value(missing);

		entry->state = VALUE_MISSING;
		entry->why = (enum missing)why;
		return why >= 0 && why < MISSING_COUNT;
	}
	if (json_is_true(json_object_get(state, "not_applicable"))) {
		entry->state = VALUE_NOT_APPLICABLE;
		return true;
	}
	entry->state = VALUE_KNOWN;
	if (!document_string_back(state, &entry->text))
		return false;
	entry->is_absent = entry->text == NULL;
	return true;
}

/* Fills *entries, which is empty; what was read before a fault stays in it, for its owner. */
static int entries_back(const char *text, struct entries *entries, struct error *err)
{
	json_error_t where;
	AUTO(json) json_t *facts = text ? json_loads(text, 0, &where) : NULL;

	if (!json_is_array(facts))
		return error_set(err, EBADMSG, "damaged text of facts");
	entries->list = mem_array(json_array_size(facts), sizeof(*entries->list));
	for (size_t i = 0; i < json_array_size(facts); i++) {
		entries->n = i + 1;
		if (!entry_back(json_array_get(facts, i), &entries->list[i]))
			return error_set(err, EBADMSG, "damaged text of fact %zu", i);
		if (i > 0 && strcmp(entries->list[i - 1].name, entries->list[i].name) >= 0)
			return error_set(err, EBADMSG, "facts out of order at '%s'",
					 entries->list[i].name);
	}
	return 0;
}

static bool is_same(const struct entry *one, const struct entry *other)
{
	if (one->is_absent || one->state != other->state)
		return false;
	if (one->state == VALUE_KNOWN)
		return text_equal(one->text, other->text);
	return one->state != VALUE_MISSING || one->why == other->why;
}

/* Two lists side by side, both sorted by name. */
struct walk {
	const struct entry *shared;
	size_t n_shared;
	const struct entry *own;
	size_t n_own;
};

/* The next name: its entry in each list, or NULL where it is not. False at the end. */
static bool walk_next(struct walk *walk, const struct entry **ret_shared,
		      const struct entry **ret_own)
{
	int order = walk->n_shared ? -1 : 1; /* An ended list comes last. */

	if (!walk->n_shared && !walk->n_own)
		return false;
	if (walk->n_shared && walk->n_own)
		order = strcmp(walk->shared->name, walk->own->name);
	*ret_shared = NULL;
	*ret_own = NULL;
	if (order <= 0) {
		*ret_shared = walk->shared++;
		walk->n_shared--;
	}
	if (order >= 0) {
		*ret_own = walk->own++;
		walk->n_own--;
	}
	return true;
}

char *facts_set(const struct run *run)
{
	json_t *facts = json_array();

	for (size_t i = 0; i < run->n_facts; i++) {
		const struct entry entry = entry_of(&run->facts[i]);

		if (!is_volatile(&run->facts[i]))
			add(facts, entry.name, state_of(&entry));
	}
	return document_dump(facts);
}

int facts_own(const char *set, const struct run *run, char **ret_own, size_t *ret_n,
	      struct error *err)
{
	AUTO(entries) struct entries shared = { 0 };
	int rc = entries_back(set, &shared, err);

	if (rc < 0)
		return rc;

	struct entry *mine = mem_array(run->n_facts, sizeof(*mine));
	struct walk walk = { shared.list, shared.n, mine, run->n_facts };
	const struct entry *one = NULL;
	const struct entry *other = NULL;
	json_t *own = json_array();

	for (size_t i = 0; i < run->n_facts; i++)
		mine[i] = entry_of(&run->facts[i]);
	while (walk_next(&walk, &one, &other)) {
		if (one && !other)
			add(own, one->name, json_null());
		else if (other && !(one && is_same(one, other)))
			add(own, other->name, state_of(other));
	}
	free(mine);
	*ret_n = json_array_size(own);
	*ret_own = document_dump(own);
	return 0;
}

int facts_back(const char *set, const char *own, struct run *run, struct error *err)
{
	AUTO(entries) struct entries shared = { 0 };
	AUTO(entries) struct entries mine = { 0 };
	int rc = entries_back(set, &shared, err);

	if (rc == 0)
		rc = entries_back(own, &mine, err);
	if (rc < 0)
		return rc;

	struct walk walk = { shared.list, shared.n, mine.list, mine.n };
	const struct entry *one = NULL;
	const struct entry *other = NULL;

	assert(run->n_facts == 0);
	while (walk_next(&walk, &one, &other)) {
		const struct entry *said = other ? other : one; /* The run's own word goes first. */

		if (said && !said->is_absent)
			run_fact_add(run, said->name, said->state, said->why, said->text);
	}
	return 0;
}
