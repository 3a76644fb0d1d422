/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An estimate is a kindness: nothing that goes wrong here stops a campaign. See durations.h. */
#include "cli/durations.h"

#include "base/auto.h"
#include "base/mem.h"
#include "cli/here.h"
#include "store/noise.h"

#include <stdlib.h>

void durations_fill(struct store *store, const char *machine, struct plan *plan)
{
	free(plan->measured_ns);
	plan->measured_ns = mem_array(plan->n_jobs, sizeof(*plan->measured_ns));
	for (size_t i = 0; machine && i < plan->n_jobs; i++)
		if (store_run_took(store, machine, plan->jobs[i], &plan->measured_ns[i],
				   /* err= */ NULL) < 0)
			return;
}

void durations_here(struct store *store, const char *root, struct plan *plan)
{
	AUTO(text) char *machine = here_machine(root);
	durations_fill(store, machine, plan);
}
