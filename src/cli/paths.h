/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things are kept for the person at the terminal (under sudo: for the one who called sudo).
 */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "store/store.h"

/* Opens the store that the options name, or the default one. `create`: make it when absent;
 * otherwise an absent store is -ENOENT with a hint. */
int paths_store_open(const struct parsed *parsed, bool create, struct store **ret_store,
		     struct error *err);

/* Where a folder of files that come with assay is: the directory in the variable when that is set, else
 * share/assay/NAME beside the program, else where assay was to be installed; a program that was built and
 * not installed takes `tree` of the tree around its build folder. It need not be there. New string. */
char *paths_data_directory(const char *variable, const char *tree, const char *name);

/* $XDG_CONFIG_HOME/assay/NAME, else ~/.config/assay/NAME. It need not be there. New string. */
char *paths_config_directory(const char *name);

/* Settings are the machine's, so that every root finds what another left applied. */
#define PATHS_STATE_OF_MACHINE "/var/lib/assay"

/* Where the journal of applied settings is: $XDG_STATE_HOME/assay, else PATHS_STATE_OF_MACHINE for
 * root and ~/.local/state/assay for others. New string. */
char *paths_state_directory(void);
