/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a bisection begins: from the words of the command line to a campaign in the store. */
#pragma once

#include "base/error.h"
#include "cli/bisect_case.h"
#include "cli/options.h"
#include "store/store.h"

/* The case that GOOD, BAD and the options say. -EINVAL with a sentence for what is wrong in them. */
int bisect_start_read(const struct parsed *parsed, struct bisect_case **ret_case,
		      struct error *err);

/* Takes over the runs of the store that belong to it, unless --afresh. */
int bisect_start_reuse(const struct parsed *parsed, struct store *store,
		       struct bisect_case *bisection, struct error *err);

/* Puts it into the store; *ret_name is the campaign's, a new string. */
int bisect_start_keep(const struct parsed *parsed, struct store *store,
		      const struct bisect_case *bisection, char **ret_name, struct error *err);
