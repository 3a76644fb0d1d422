/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands, from their rows. See command.h. */
#include "cli/command.h"

#include <string.h>

const struct command_row *const command_rows[] = {
	&command_bisect, &command_compare, &command_completion, &command_doctor, &command_help,
	&command_list,   &command_mark,    &command_resume,     &command_rm,     &command_run,
	&command_runs,   &command_show,    &command_stat,       &command_store,  &command_version,
};
const size_t command_row_count = ARRAY_SIZE(command_rows);

const struct command_row *command_find(const char *name)
{
	for (size_t i = 0; i < command_row_count; i++)
		if (strcmp(command_rows[i]->name, name) == 0)
			return command_rows[i];
	return NULL;
}
