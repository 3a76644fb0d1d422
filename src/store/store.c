/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a store: whose is it, is it one, is it of a version that this program knows; only then is
 * anything changed.
 */
#include "store/store.h"

#include "base/mem.h"
#include "base/random.h"
#include "store/handle.h"
#include "store/schema.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/stat.h>

void handle_draw_uid(char ret_uid[static STORE_UID_BYTES])
{
	struct random random;

	/* Two seeds of 53 bits and the process: enough that no two runs of the world meet. */
	random_seed(&random, random_seed_from_system());
	const uint64_t high = random_next(&random) ^ ((uint64_t)getpid() << 32);

	random_seed(&random, random_seed_from_system());
	(void)snprintf(ret_uid, STORE_UID_BYTES, "%016llx%016llx", (unsigned long long)high,
		       (unsigned long long)random_next(&random));
}

void store_close(struct store *store)
{
	if (!store)
		return;
	database_done(&store->database);
	free(store->directory);
	free(store);
}

static int no_store(const char *directory, struct error *err)
{
	return error_set(
		err, ENOENT,
		"there is no store in '%s': `assay run` makes one, --store DIRECTORY names "
		"another",
		directory);
}

/* Makes sure that directory and file are there and this user's. */
static int make_ready(const struct store *store, const char *path, bool create, struct error *err)
{
	struct stat status;
	int rc = 0;

	if (create)
		rc = owner_make_directories(&store->owner, store->directory, err);
	if (rc == 0 && stat(store->directory, &status) < 0 && errno == ENOENT)
		return no_store(store->directory, err);
	if (rc == 0)
		rc = owner_check(store->directory, err);
	if (rc < 0)
		return rc;
	if (stat(path, &status) < 0) {
		if (errno != ENOENT)
			return error_errno(err, errno, "cannot look at '%s'", path);
		if (!create)
			return no_store(store->directory, err);
		rc = owner_make_file(&store->owner, path, err);
		return rc == -EEXIST ? 0 : rc; /* Another process was first. */
	}
	if (!S_ISREG(status.st_mode))
		return error_set(err, EBADMSG, "'%s' is not a store of assay: it is not a file",
				 path);
	return owner_check(path, err);
}

int store_open(const char *directory, bool create, struct store **ret_store, struct error *err)
{
	AUTO(store) struct store *store = mem_zero(sizeof(*store));
	AUTO(text) char *path = mem_format("%s/%s", directory, STORE_FILE_NAME);
	bool is_empty = false;

	store->directory = mem_text(directory);
	store->owner = owner_find();
	int rc = make_ready(store, path, create, err);

	if (rc == 0)
		rc = database_open(path, &store->database, err);
	if (rc == 0)
		rc = schema_look(&store->database, &is_empty, err);
	if (rc == 0 && is_empty && !create)
		return no_store(directory, err);
	if (rc == 0)
		rc = schema_prepare(&store->database, err);
	if (rc < 0)
		return rc;
	*ret_store = KEEP(store);
	return 0;
}
