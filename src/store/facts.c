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

static json_t *state_of(const struct fact *fact)
{
	switch (fact->state) {
	case VALUE_KNOWN:
		return document_string(fact->text ? fact->text : "");
	case VALUE_NOT_APPLICABLE:
		return json_pack("{s:b}", "not_applicable", 1);
	case VALUE_MISSING:
	case VALUE_STATE_COUNT:
		break;
	}
	return json_pack("{s:i}", "missing", (int)fact->why);
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

char *facts_set(const struct run *run)
{
	json_t *facts = json_array();

	for (size_t i = 0; i < run->n_facts; i++)
		if (!is_volatile(&run->facts[i]))
			add(facts, run->facts[i].name, state_of(&run->facts[i]));
	return document_dump(facts);
}

/* One pair read back. */
struct entry {
	char *name;
	bool is_absent; /* [name, null]. */
	enum value_state state;
	enum missing why;
	char *text;
};

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

static int entries_back(const char *text, struct entries *ret_entries, struct error *err)
{
	json_error_t where;
	AUTO(json) json_t *facts = text ? json_loads(text, 0, &where) : NULL;
	AUTO(entries) struct entries entries = { 0 };

	if (!json_is_array(facts))
		return error_set(err, EBADMSG, "damaged text of facts");
	entries.list = mem_array(json_array_size(facts), sizeof(*entries.list));
	for (size_t i = 0; i < json_array_size(facts); i++) {
		entries.n = i + 1;
		if (!entry_back(json_array_get(facts, i), &entries.list[i]))
			return error_set(err, EBADMSG, "damaged text of fact %zu", i);
		if (i > 0 && strcmp(entries.list[i - 1].name, entries.list[i].name) >= 0)
			return error_set(err, EBADMSG, "facts out of order at '%s'",
					 entries.list[i].name);
	}
	*ret_entries = entries;
	entries = (struct entries) { 0 };
	return 0;
}

static bool is_same(const struct entry *entry, const struct fact *fact)
{
	if (entry->is_absent || entry->state != fact->state)
		return false;
	if (fact->state == VALUE_KNOWN)
		return text_equal(entry->text, fact->text);
	return fact->state != VALUE_MISSING || entry->why == fact->why;
}

/* Which of the two names comes first; an ended list counts as last. */
static int order(const char *one, const char *other)
{
	if (!one || !other)
		return one ? -1 : 1;
	return strcmp(one, other);
}

int facts_own(const char *set, const struct run *run, char **ret_own, size_t *ret_n,
	      struct error *err)
{
	AUTO(entries) struct entries shared = { 0 };
	int rc = entries_back(set, &shared, err);

	if (rc < 0)
		return rc;

	json_t *own = json_array();
	size_t s = 0;
	size_t f = 0;

	while (s < shared.n || f < run->n_facts) {
		const struct entry *entry = s < shared.n ? &shared.list[s] : NULL;
		const struct fact *fact = f < run->n_facts ? &run->facts[f] : NULL;
		const int first = order(entry ? entry->name : NULL, fact ? fact->name : NULL);

		if (first < 0)
			add(own, entry->name, json_null());
		else if (first > 0 || !is_same(entry, fact))
			add(own, fact->name, state_of(fact));
		s += first <= 0;
		f += first >= 0;
	}
	*ret_n = json_array_size(own);
	*ret_own = document_dump(own);
	return 0;
}

static void add_entry(struct run *run, const struct entry *entry)
{
	if (!entry->is_absent)
		run_fact_add(run, entry->name, entry->state, entry->why, entry->text);
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

	assert(run->n_facts == 0);
	for (size_t s = 0, m = 0; s < shared.n || m < mine.n;) {
		const struct entry *one = s < shared.n ? &shared.list[s] : NULL;
		const struct entry *other = m < mine.n ? &mine.list[m] : NULL;
		const int first = order(one ? one->name : NULL, other ? other->name : NULL);

		add_entry(run, first < 0 ? one : other); /* The run's own word goes first. */
		s += first <= 0;
		m += first >= 0;
	}
	return 0;
}
