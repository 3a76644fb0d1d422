/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places there are, and recovery after a crash. See place.h. */
#include "place/place.h"

#include "base/auto.h"
#include "base/fs.h"
#include "place/journal.h"

#include <string.h>

static const struct place *const places[] = { &place_host };

const struct place *place_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (strcmp(places[i]->name, name) == 0)
			return places[i];
	return NULL;
}

bool place_leftovers(const char *state_directory, struct text *files)
{
	return journal_leftovers(state_directory, files) > 0;
}

int place_recover(const struct place_options *options, unsigned *ret_restored, struct error *err)
{
	AUTO(fd) int root_fd = fs_root_open("/", err);
	if (root_fd < 0)
		return root_fd;
	return journal_recover(options->state_directory, root_fd, ret_restored, err);
}
