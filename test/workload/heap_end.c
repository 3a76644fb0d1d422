/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/heap_end.h"

#include "check.h"
#include "workload/drive.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

static void a_worker_starts_at_the_heaps_end(void **state)
{
	(void)state;
	struct work *work = drive_work("brk1", "mode=process", NULL);
	struct worker_self self = { .work = work };
	struct error err = { 0 };
	CHECK_INT(heap_end_prepare(work, &err), 0);
	CHECK_INT(heap_end_enter(&self, &err), 0);
	CHECK(self.state == sbrk(0));
	work_free(work);
}

static void threads_are_refused_when_the_heap_grew_meanwhile(void **state)
{
	(void)state;
	struct work *work = drive_work("brk1", "mode=thread", NULL);
	struct worker_self self = { .work = work };
	struct error err = { 0 };
	CHECK_INT(heap_end_prepare(work, &err), 0);
	CHECK_INT(heap_end_enter(&self, &err), 0);
	CHECK(self.state == work_shared(work));
	CHECK(sbrk(sysconf(_SC_PAGESIZE)) != (void *)-1);
	CHECK_INT(heap_end_enter(&self, &err), -EOPNOTSUPP);
	CHECK(strstr(err.text, "heap") != NULL);
	CHECK(sbrk(-sysconf(_SC_PAGESIZE)) != (void *)-1);
	work_free(work);
}

/* Where brk2's workers write down the end that they start from. */
static void note_end(struct worker_self *self, void *user)
{
	char **ends = user;
	ends[self->index] = self->state;
}

static void brk2_gives_each_thread_another_page(void **state)
{
	(void)state;
	char **ends = drive_shared(3 * sizeof(*ends));
	struct work *work = drive_work("brk2", "mode=thread", "t=3", NULL);
	struct drive run = { .batches = 1, .entered = note_end, .user = ends };
	CHECK_INT(drive(work, &run), 0);
	CHECK_INT(ends[1] - ends[0], sysconf(_SC_PAGESIZE));
	CHECK_INT(ends[2] - ends[1], sysconf(_SC_PAGESIZE));
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_starts_at_the_heaps_end),
		cmocka_unit_test(threads_are_refused_when_the_heap_grew_meanwhile),
		cmocka_unit_test(brk2_gives_each_thread_another_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
