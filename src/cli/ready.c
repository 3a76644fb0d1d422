/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments by name. See ready.h. */
#include "cli/ready.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/paths.h"
#include "cli/rows.h"
#include "experiment/experiment.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".yaml"
#define FILE_BYTES_MAX (256U << 10) /* As much as an experiment may have. */

static void close_folder(DIR **folder)
{
	if (*folder)
		(void)closedir(*folder);
}

/* New string; it need not be there. */
static char *find_directory(void)
{
	return paths_data_directory("ASSAY_EXPERIMENTS", "experiments", "experiments");
}

char *ready_find(const char *name)
{
	if (!*name || strchr(name, '/'))
		return NULL;
	AUTO(text) char *directory = find_directory();
	AUTO(text) char *path = mem_format("%s/%s" ENDING, directory, name);
	return access(path, R_OK) == 0 ? KEEP(path) : NULL;
}

static char *read_question(const char *path)
{
	AUTO(text) char *bytes = NULL;
	AUTO(experiment) struct experiment *experiment = NULL;
	size_t length = 0;
	struct error err = { 0 };
	int failed = fs_read_whole_at(AT_FDCWD, path, FILE_BYTES_MAX, &bytes, &length, &err);
	if (!failed)
		failed = experiment_parse(bytes, length, path, rows_catalogue(), &experiment, &err);
	if (failed)
		return mem_format("cannot be read: %s", err.text);
	return mem_text(experiment->question ? experiment->question : "");
}

static int name_order(const void *one, const void *other)
{
	const struct ready *mine = one;
	const struct ready *yours = other;
	return strcmp(mine->name, yours->name);
}

void ready_list_read(struct ready_list *ret_list)
{
	struct ready_list list = { 0 };
	size_t capacity = 0;
	AUTO(text) char *directory = find_directory();
	__attribute__((cleanup(close_folder))) DIR *folder = opendir(directory);
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry;
	     entry = readdir(folder)) {
		if (!text_ends_with(entry->d_name, ENDING) || entry->d_name[0] == '.')
			continue;
		const size_t length = strlen(entry->d_name);
		assert(length >= sizeof(ENDING));
		list.items = mem_grow(list.items, &capacity, list.n + 1, sizeof(*list.items));
		struct ready *item = &list.items[list.n++];
		item->name = mem_text_n(entry->d_name, length - strlen(ENDING));
		item->path = mem_format("%s/%s", directory, entry->d_name);
		item->question = read_question(item->path);
	}
	if (list.n > 1)
		qsort(list.items, list.n, sizeof(*list.items), name_order);
	*ret_list = list;
}

void ready_list_done(struct ready_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].name);
		free(list->items[i].path);
		free(list->items[i].question);
	}
	free(list->items);
	*list = (struct ready_list) { 0 };
}
