/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type of a machine from its facts. Memory is what the kernel has to give, a little less than
 * what is built in and not the same from kernel to kernel: it is rounded to the next of 1, 1.25,
 * 1.5 and 1.75 times a power of two.
 */
#include "store/machine.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/content.h"
#include "store/facts.h"
#include "store/noise.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MIB_PER_GIB 1024.0

/* What the type is made of; where the processor has no model name, the three others name it. */
static const char *const facts_used[] = {
	"cpu.model_name", "cpu.vendor", "cpu.family",       "cpu.model",
	"cpu.count",      "node.count", "memory.total_mib", "hypervisor",
};

static const char *known(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);

	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

static const char *known_or(const struct run *run, const char *name, const char *otherwise)
{
	const char *text = known(run, name);

	return text ? text : otherwise;
}

/* New string; NULL when nothing names the processor. */
static char *processor(const struct run *run)
{
	static const char *const parts[] = { "cpu.vendor", "cpu.family", "cpu.model" };
	struct text name = { 0 };

	if (known(run, "cpu.model_name"))
		return mem_text(known(run, "cpu.model_name"));
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (known(run, parts[i]))
			text_add(&name, "%s%s", name.length ? " " : "", known(run, parts[i]));
	return name.length ? text_take(&name) : NULL;
}

/* "16 GiB": new string. */
static char *memory(const struct run *run)
{
	const char *text = known(run, "memory.total_mib");
	double mib = 0;
	int exponent = 0;

	if (!text || !text_parse_f64(text, &mib) || mib < 1)
		return mem_text("? GiB");
	const double mantissa = frexp(mib / MIB_PER_GIB, &exponent); /* In [0.5, 1). */

	return mem_format("%g GiB", ldexp(round(mantissa * 8), exponent - 3));
}

/* "bare", "guest of kvm": new string. */
static char *virtualisation(const struct run *run)
{
	const char *hypervisor = known(run, "hypervisor");

	if (!hypervisor)
		return mem_text("bare or guest");
	return text_equal(hypervisor, "none") ? mem_text("bare")
					      : mem_format("guest of %s", hypervisor);
}

char *store_machine_type(const struct run *run)
{
	AUTO(text) char *name = processor(run);
	AUTO(text) char *size = memory(run);
	AUTO(text) char *kind = virtualisation(run);

	if (!name)
		return NULL;
	return mem_format("%s, CPUs %s, nodes %s, %s, %s", name, known_or(run, "cpu.count", "?"),
			  known_or(run, "node.count", "1"), size, kind);
}

/* The id of a type; added when it is new. */
static int put_type(struct database *database, const char *type, int64_t *ret_id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *find = NULL;
	AUTO(statement) sqlite3_stmt *add = NULL;
	int rc = database_prepare(database, "SELECT machine_id FROM machine WHERE type = ?1", &find,
				  err);

	if (rc < 0)
		return rc;
	database_bind_text(find, 1, type);
	rc = database_step(database, find, err);
	if (rc == 1)
		*ret_id = sqlite3_column_int64(find, 0);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = database_prepare(database, "INSERT INTO machine (type) VALUES (?1)", &add, err);
	if (rc < 0)
		return rc;
	database_bind_text(add, 1, type);
	rc = database_step(database, add, err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(database->handle);
	return rc;
}

int machine_put(struct database *database, const struct run *run, int64_t *ret_id,
		struct error *err)
{
	AUTO(text) char *type = store_machine_type(run);

	if (type)
		return put_type(database, type, ret_id, err);
	*ret_id = 0;
	return 0;
}

struct filling { /* The set last looked at, and the machine that it says alone. */
	struct database *database;
	sqlite3_stmt *note; /* Borrowed: the UPDATE. */
	int64_t set;
	int64_t machine;
};

static int machine_of(struct database *database, int64_t set, const char *own, int64_t *ret_id,
		      struct error *err)
{
	AUTO(text) char *shared = NULL;
	AUTO(run) struct run *run = run_new();
	size_t length = 0;
	int rc = content_get(database, CONTENT_FACTS, set, &shared, &length, err);

	if (rc == 0)
		rc = facts_back(shared, own, run, err);
	if (rc == -EBADMSG) { /* A damaged run has no machine; `store check` tells of it. */
		*ret_id = 0;
		return 0;
	}
	return rc < 0 ? rc : machine_put(database, run, ret_id, err);
}

/* Nearly always the set says it all, and it is that of the run before. */
static bool speaks_of_machine(const char *own)
{
	for (size_t i = 0; i < ARRAY_SIZE(facts_used); i++)
		if (own && strstr(own, facts_used[i]))
			return true;
	return false;
}

static int fill_one(struct filling *filling, int64_t run, int64_t set, const char *own,
		    struct error *err)
{
	int64_t machine = 0;
	int rc = 0;

	if (speaks_of_machine(own)) {
		rc = machine_of(filling->database, set, own, &machine, err);
	} else {
		if (set != filling->set)
			rc = machine_of(filling->database, set, "[]", &filling->machine, err);
		filling->set = rc == 0 ? set : 0;
		machine = filling->machine;
	}
	if (rc < 0)
		return rc;
	(void)sqlite3_reset(filling->note); /* Repeats the answer of the last step. */
	database_bind_i64(filling->note, 1, run);
	database_bind_i64(filling->note, 2, machine);
	return database_step(filling->database, filling->note, err);
}

/* The column that is written is none that the reading statement goes by. */
int machine_fill(struct database *database, struct error *err)
{
	AUTO(statement) sqlite3_stmt *runs = NULL;
	AUTO(statement) sqlite3_stmt *note = NULL;
	struct filling filling = { .database = database };
	int rc = database_prepare(
		database, "SELECT run_id, factset_id, facts FROM run ORDER BY run_id", &runs, err);

	if (rc == 0)
		rc = database_prepare(database,
				      "UPDATE run SET machine_id = nullif(?2, 0) WHERE run_id = ?1",
				      &note, err);
	filling.note = note;
	while (rc >= 0 && (rc = database_step(database, runs, err)) == 1) {
		AUTO(text) char *own = database_column_text(runs, 2);

		rc = fill_one(&filling, sqlite3_column_int64(runs, 0),
			      sqlite3_column_int64(runs, 1), own, err);
	}
	return rc;
}
