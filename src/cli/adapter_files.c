/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and reading adapters. See adapter_files.h. */
#include "cli/adapter_files.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/yaml.h"
#include "cli/paths.h"
#include "experiment/check.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".yaml"

/* A default that could not be given is found when the file is read, not when it is run. */
static int check_presets(const struct adapter *adapter, struct error *err)
{
	for (size_t i = 0; i < adapter->n_parameters; i++) {
		const struct parameter *parameter = &adapter->parameters[i];
		unsigned column = 0;
		if (!parameter->preset ||
		    check_value(parameter, parameter->preset, &column, err) == 0)
			continue;
		return error_at(err, "%s:%u:%u", adapter->path, adapter->presets[i].line,
				adapter->presets[i].column + column);
	}
	return 0;
}

int adapter_files_load(const char *path, const struct catalogue *built_in,
		       struct adapter **ret_adapter, struct error *err)
{
	AUTO(text) char *bytes = NULL;
	AUTO(adapter) struct adapter *adapter = NULL;
	size_t length = 0;
	const int unread = fs_read_whole_at(AT_FDCWD, path, YAML_BYTES_MAX, &bytes, &length, err);
	if (unread)
		return error_set(err, EINVAL, "cannot read the adapter '%s': %s", path,
				 unread == -EFBIG ? "it is too long" : strerror(-unread));
	int failed = adapter_parse(bytes, length, path, &adapter, err);
	if (failed)
		return failed;
	assert(adapter);
	if (catalogue_workload_find(built_in, adapter->name))
		return error_set(
			err, EINVAL,
			"%s: '%s' is the name of a workload of assay's own; choose another", path,
			adapter->name);
	failed = check_presets(adapter, err);
	if (!failed)
		*ret_adapter = KEEP(adapter);
	return failed;
}

int adapter_files_put(struct adapters *adapters, struct adapter *adapter, enum adapter_rank rank,
		      struct error *err)
{
	const struct adapter *before = adapters_find(adapters, adapter->name);
	int answer = 0;
	assert(rank <= ADAPTER_GIVEN);
	adapter->rank = rank;
	if (before && before->rank == rank)
		answer = error_set(err, EINVAL,
				   "the adapter '%s' is described twice: in '%s' and in '%s'",
				   adapter->name, before->path, adapter->path);
	if (answer < 0)
		adapter_free(adapter);
	else
		adapters_put(adapters, adapter);
	return answer;
}

static void note(struct adapter_files_broken *broken, const char *file, const char *sentence)
{
	broken->items =
		mem_grow(broken->items, &broken->capacity, broken->n + 1, sizeof(*broken->items));
	broken->items[broken->n].name = mem_text_n(file, strlen(file) - strlen(ENDING));
	broken->items[broken->n].sentence = mem_text(sentence);
	broken->n++;
}

static int is_adapter(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && text_ends_with(entry->d_name, ENDING);
}

static void read_folder(const char *directory, const struct catalogue *built_in,
			enum adapter_rank rank, struct adapters *adapters,
			struct adapter_files_broken *broken)
{
	struct dirent **entries = NULL;
	/* In order, so that of two with one name it is always the same that is refused. */
	const int n = scandir(directory, &entries, is_adapter, alphasort);
	for (int i = 0; i < n; i++) {
		AUTO(text) char *path = mem_format("%s/%s", directory, entries[i]->d_name);
		struct adapter *adapter = NULL;
		struct error err = { 0 };
		int failed = adapter_files_load(path, built_in, &adapter, &err);
		assert((failed == 0) == (adapter != NULL));
		if (adapter)
			failed = adapter_files_put(adapters, adapter, rank, &err);
		if (failed)
			note(broken, entries[i]->d_name, err.text);
		free(entries[i]);
	}
	free(entries);
}

void adapter_files_read(const struct catalogue *built_in, struct adapters *ret_adapters,
			struct adapter_files_broken *ret_broken)
{
	AUTO(text)
	char *shipped = paths_data_directory("ASSAY_ADAPTERS", "data/adapters", "adapters");
	AUTO(text) char *own = paths_config_directory("adapters");
	*ret_adapters = (struct adapters) { 0 };
	*ret_broken = (struct adapter_files_broken) { 0 };
	read_folder(shipped, built_in, ADAPTER_SHIPPED, ret_adapters, ret_broken);
	read_folder(own, built_in, ADAPTER_OWN, ret_adapters, ret_broken);
}

void adapter_files_broken_done(struct adapter_files_broken *broken)
{
	for (size_t i = 0; i < broken->n; i++) {
		free(broken->items[i].name);
		free(broken->items[i].sentence);
	}
	free(broken->items);
	*broken = (struct adapter_files_broken) { 0 };
}
