/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things are kept. See paths.h. */
#include "cli/paths.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

int paths_store_open(const struct parsed *parsed, bool create, struct store **ret_store,
		     struct error *err)
{
	const char *named = options_value(parsed, "store");
	AUTO(text) char *directory = named ? mem_text(named) : store_default_directory();
	AUTO(text) char *file = mem_format("%s/assay.sqlite", directory);
	if (!create && access(file, F_OK) < 0 && errno == ENOENT)
		return error_set(err, ENOENT,
				 "there is no store in '%s' yet: 'assay run' makes one, --store "
				 "names another",
				 directory);
	return store_open(directory, create, ret_store, err);
}

char *paths_state_directory(void)
{
	const char *state_home = getenv("XDG_STATE_HOME");
	if (state_home && *state_home == '/')
		return mem_format("%s/assay", state_home);
	if (getuid() == 0)
		return mem_text(PATHS_STATE_OF_MACHINE);
	const struct passwd *person = getpwuid(getuid());
	const char *home = getenv("HOME");
	if (!home || !*home)
		home = person ? person->pw_dir : "/tmp";
	return mem_format("%s/.local/state/assay", home);
}
