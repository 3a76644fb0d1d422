/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help texts, made from the rows of commands, options, workloads and monitors.
 */
#pragma once

#include "cli/command.h"

#include <stdio.h>

void help_overview(FILE *to);                       /* All commands, one line each. */
void help_print(const struct command_row *command); /* Usage and options of one, on stdout. */
