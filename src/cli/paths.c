/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things are kept. See paths.h. */
#include "cli/paths.h"

#include "assay_build.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
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

/* Of this program; "" when it cannot be found out. New string. */
static char *own_directory(void)
{
	char path[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(path, '/');
	return mem_text_n(path, slash ? (size_t)(slash - path) : 0);
}

char *paths_data_directory(const char *variable, const char *tree, const char *name)
{
	const char *named = getenv(variable);
	if (named && *named)
		return mem_text(named);
	AUTO(text) char *own = own_directory();
	if (text_ends_with(own, "/src/cli")) /* BUILD/src/cli/assay, never installed so. */
		return mem_format("%s/../../../%s", own, tree);
	AUTO(text) char *beside = mem_format("%s/../share/assay/%s", own, name);
	if (access(beside, R_OK | X_OK) == 0)
		return KEEP(beside);
	return mem_format("%s/%s", ASSAY_DATA_DIRECTORY, name);
}

char *paths_config_directory(const char *name)
{
	const char *config_home = getenv("XDG_CONFIG_HOME");
	if (config_home && *config_home == '/')
		return mem_format("%s/assay/%s", config_home, name);
	const struct passwd *person = getpwuid(getuid());
	const char *home = getenv("HOME");
	if (!home || !*home)
		home = person ? person->pw_dir : "/tmp";
	return mem_format("%s/.config/assay/%s", home, name);
}
