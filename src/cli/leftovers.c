/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a crashed run left applied, told to whoever looks at results. See leftovers.h. */
#include "cli/leftovers.h"

#include "base/auto.h"
#include "base/text.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "place/place.h"

#include <string.h>
#include <unistd.h>

char *leftovers_find(void)
{
	AUTO(text_buffer) struct text files = { 0 };
	AUTO(text) char *own = paths_state_directory();
	bool found = place_leftovers(own, &files);
	if (getuid() != 0 && strcmp(own, PATHS_STATE_OF_MACHINE) != 0)
		found |= place_leftovers(PATHS_STATE_OF_MACHINE, &files);
	return found ? text_take(&files) : NULL;
}

void leftovers_warn(void)
{
	AUTO(text) char *files = leftovers_find();
	if (files)
		say_warning("a crashed run left settings applied ('assay doctor' says more): %s",
			    files);
}
