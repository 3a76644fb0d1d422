/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of adapters: those that come with assay (ASSAY_ADAPTERS, else share/assay/adapters), then the
 * person's own ($XDG_CONFIG_HOME/assay/adapters), then those named by --adapter. A later one of a name goes
 * before an earlier one; two of one name in the same place are an error.
 */
#pragma once

#include "base/error.h"
#include "intake/harvest.h"
#include "record/catalogue.h"

#include <stddef.h>

enum adapter_rank {
	ADAPTER_SHIPPED,
	ADAPTER_OWN,
	ADAPTER_GIVEN,
};

struct adapter_files_broken { /* Files that could not be taken, and why. */
	struct {
		char *name; /* Of the file, without ".yaml". */
		char *sentence;
	} * items;
	size_t n, capacity;
};

/* Reads and checks one file. -EINVAL with file, line and column. */
int adapter_files_load(const char *path, const struct catalogue *built_in,
		       struct adapter **ret_adapter, struct error *err);

/* Takes the adapter, in the place of one of lower rank. -EINVAL, with it released, when there is one
 * of the same name and rank. */
int adapter_files_put(struct adapters *adapters, struct adapter *adapter, enum adapter_rank rank,
		      struct error *err);

/* All of both folders; a file that is wrong spoils nothing but itself. */
void adapter_files_read(const struct catalogue *built_in, struct adapters *ret_adapters,
			struct adapter_files_broken *ret_broken);
void adapter_files_broken_done(struct adapter_files_broken *broken);
