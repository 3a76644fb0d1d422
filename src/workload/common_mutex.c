/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See common_mutex.h. */
#include "workload/common_mutex.h"

#include "base/mem.h"

#include <stdlib.h>

int common_mutex_prepare(struct work *work, struct error *err)
{
	(void)err; /* Nothing here can fail. */
	struct common_mutex *common = mem_zero(sizeof(*common));
	(void)pthread_mutex_init(&common->mutex, /* attributes= */ NULL); /* Always 0 on Linux. */
	work_share(work, common);
	return 0;
}

void common_mutex_retire(struct work *work)
{
	free(work_shared(work));
	work_share(work, /* shared= */ NULL);
}
