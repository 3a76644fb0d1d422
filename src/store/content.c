/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Content-addressed rows. The three tables of sets have the same columns; jobs have more, for
 * searching.
 */
#include "store/content.h"

#include "base/checksum.h"
#include "base/macros.h"
#include "base/mem.h"
#include "store/document.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SQL_BYTES 128

static const char *const tables[] = {
	[CONTENT_METRICS] = "metricset",
	[CONTENT_FACTS] = "factset",
	[CONTENT_CHANNELS] = "channelset",
};
static_assert(ARRAY_SIZE(tables) == CONTENT_COUNT, "each content has its table");

const char *content_table(enum content content)
{
	assert(content < CONTENT_COUNT);
	return tables[content];
}

/* The id of the row with this digest, 0 when there is none. */
static int find(struct database *database, const char *sql, const uint8_t *digest, int64_t *ret_id,
		struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(database, sql, &statement, err);

	if (rc < 0)
		return rc;
	database_bind_blob(statement, 1, digest, CHECKSUM_SHA256_BYTES);
	rc = database_step(database, statement, err);
	if (rc < 0)
		return rc;
	*ret_id = rc ? sqlite3_column_int64(statement, 0) : 0;
	return 0;
}

/* Steps an INSERT whose parameters are bound. */
static int insert(struct database *database, sqlite3_stmt *statement, int64_t *ret_id,
		  struct error *err)
{
	int rc = database_step(database, statement, err);

	if (rc < 0)
		return rc;
	*ret_id = sqlite3_last_insert_rowid(database->handle);
	return 0;
}

int content_put(struct database *database, enum content content, const void *bytes, size_t length,
		int64_t *ret_id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	uint8_t digest[CHECKSUM_SHA256_BYTES];
	char sql[SQL_BYTES];
	int64_t id = 0;

	checksum_sha256(bytes, length, digest);
	(void)snprintf(sql, sizeof(sql), "SELECT set_id FROM %s WHERE sha256 = ?1",
		       content_table(content));
	int rc = find(database, sql, digest, &id, err);

	if (rc == 0 && id == 0) {
		(void)snprintf(sql, sizeof(sql), "INSERT INTO %s (sha256, content) VALUES (?1, ?2)",
			       content_table(content));
		rc = database_prepare(database, sql, &statement, err);
		if (rc < 0)
			return rc;
		database_bind_blob(statement, 1, digest, sizeof(digest));
		if (content == CONTENT_METRICS)
			database_bind_blob(statement, 2, bytes, length);
		else
			database_bind_text(statement, 2, bytes);
		rc = insert(database, statement, &id, err);
	}
	if (rc == 0)
		*ret_id = id;
	return rc;
}

int content_put_job(struct database *database, const struct job *job, int64_t *ret_id,
		    struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *text = document_job(job);
	AUTO(text) char *point = job_point(job);
	uint8_t digest[CHECKSUM_SHA256_BYTES];
	int64_t id = 0;

	checksum_sha256(text, strlen(text), digest);
	int rc = find(database, "SELECT job_id FROM job WHERE sha256 = ?1", digest, &id, err);

	if (rc == 0 && id == 0) {
		rc = database_prepare(database,
				      "INSERT INTO job (sha256, workload, subject, point, content)"
				      " VALUES (?1, ?2, ?3, ?4, ?5)",
				      &statement, err);
		if (rc < 0)
			return rc;
		database_bind_blob(statement, 1, digest, sizeof(digest));
		database_bind_text(statement, 2, job->workload);
		database_bind_text(statement, 3, job->subject);
		database_bind_text(statement, 4, point);
		database_bind_text(statement, 5, text);
		rc = insert(database, statement, &id, err);
	}
	if (rc == 0)
		*ret_id = id;
	return rc;
}

int content_get(struct database *database, enum content content, int64_t id, char **ret_bytes,
		size_t *ret_length, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	char sql[SQL_BYTES];

	(void)snprintf(sql, sizeof(sql), "SELECT content FROM %s WHERE set_id = ?1",
		       content_table(content));
	int rc = database_prepare(database, sql, &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	rc = database_step(database, statement, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return error_set(err, EBADMSG, "the store '%s' is damaged: no %s %lld",
				 database->path, content_table(content), (long long)id);

	const uint8_t *bytes = database_column_blob(statement, 0, ret_length);

	*ret_bytes = mem_text_n((const char *)bytes, *ret_length);
	return 0;
}
