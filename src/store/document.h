/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs, channels and phases as the JSON texts that stand in the store, and back. The texts are
 * canonical (one form for one content), so that their SHA-256 names them. A string that is not
 * UTF-8 becomes {"hex": "..."}. Texts that come back are foreign: -EBADMSG.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/job.h"
#include "record/run.h"

#include <jansson.h>
#include <stdbool.h>

/* New strings. */
char *document_job(const struct job *job);
char *document_channels(const struct series *series);
char *document_phases(const struct run *run);

int document_job_back(const char *text, struct job **ret_job, struct error *err);
/* Fills channels and n_channels. */
int document_channels_back(const char *text, struct series *series, struct error *err);
int document_phases_back(const char *text, struct run *run, struct error *err);

/* One string, NULL included; and back: false when it is neither a string, hex nor null. *ret_text
 * is a new string or NULL. */
json_t *document_string(const char *text);
bool document_string_back(const json_t *json, char **ret_text);

/* The canonical form of a document, which is given up. New string. */
char *document_dump(json_t *json);

DEFINE_AUTO(json, json_t *, json_decref);
