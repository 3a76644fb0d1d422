/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a commit that was found and confirmed, before it is accused: does it change the program
 * at all, is it more than where functions lie, and what is the bad end without it? Pure, as the course.
 */
#pragma once

#include "cli/bisect_course.h"

#include <stdbool.h>

/* The next run that the answers need; false when no further one is. */
bool bisect_guards_next(const struct bisect_course *course, const struct bisect_found *found,
			struct bisect_unit_wanted *ret_wanted);

/* Fills guards, aligned, revert, share and is_layout. */
void bisect_guards_ask(const struct bisect_course *course, struct bisect_found *found);
