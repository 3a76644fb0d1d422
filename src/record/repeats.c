/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeated runs as plain data. See repeats.h. */
#include "record/repeats.h"

#include <stdlib.h>

void repeats_free(struct repeats *repeats)
{
	if (!repeats)
		return;
	for (size_t i = 0; i < repeats->n_metrics; i++)
		free(repeats->metrics[i]);
	for (size_t i = 0; i < repeats->n_groups; i++) {
		free(repeats->groups[i].point);
		free(repeats->groups[i].settings);
	}
	free(repeats->metrics);
	free(repeats->groups);
	free(repeats->values);
	free(repeats);
}
