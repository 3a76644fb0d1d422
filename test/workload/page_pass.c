/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/page_pass.h"

#include "check.h"
#include "workload/drive.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include <sys/mman.h>

#define PAGES 8

static void enter(struct worker_self *self, struct work *work, int flags)
{
	struct error err = { 0 };
	*self = (struct worker_self) { .work = work };
	CHECK_INT(page_pass_enter(self, PAGES * (size_t)sysconf(_SC_PAGESIZE), flags, &err), 0);
}

/* Of the mapping's pages, how many are in memory. */
static size_t count_resident(const struct page_pass *pass)
{
	unsigned char resident[PAGES];
	CHECK_INT(mincore(pass->block, pass->bytes, resident), 0);
	size_t count = 0;
	for (size_t i = 0; i < PAGES; i++)
		count += resident[i] & 1;
	return count;
}

static void every_page_is_touched_once_and_then_the_mapping_is_new(void **state)
{
	(void)state;
	struct work *work = drive_work("page_fault1", NULL);
	struct worker_self self;
	enter(&self, work, MAP_PRIVATE | MAP_ANONYMOUS);
	struct page_pass *pass = self.state;
	/* A transparent huge page would fill more than what was touched. */
	(void)madvise(pass->block, pass->bytes, MADV_NOHUGEPAGE);
	CHECK_INT(count_resident(pass), 0);
	CHECK_INT(page_pass_touch(pass, 3), 3);
	CHECK_INT(count_resident(pass), 3);
	CHECK_INT(page_pass_touch(pass, 4), 4);
	CHECK_INT(count_resident(pass), 7);
	CHECK_INT(page_pass_touch(pass, 4), 1);
	CHECK_INT(pass->next, 0);
	CHECK_INT(count_resident(pass), 0);
	page_pass_leave(&self);
	work_free(work);
}

static void a_file_keeps_its_pages_over_the_passes(void **state)
{
	(void)state;
	struct work *work = drive_work("page_fault3", NULL);
	struct worker_self self;
	enter(&self, work, MAP_SHARED);
	struct page_pass *pass = self.state;
	CHECK(pass->fd >= 0);
	CHECK_INT(page_pass_touch(pass, SIZE_MAX), PAGES);
	CHECK_INT(count_resident(pass), PAGES);
	CHECK_INT(page_pass_renew(pass), 0);
	CHECK_INT(count_resident(pass), PAGES);
	page_pass_leave(&self);
	CHECK(self.state == NULL);
	work_free(work);
}

static void a_flushed_page_of_anonymous_memory_is_zero_again(void **state)
{
	(void)state;
	struct work *work = drive_work("tlb_flush2", NULL);
	struct worker_self self;
	enter(&self, work, MAP_PRIVATE | MAP_ANONYMOUS);
	struct page_pass *pass = self.state;
	CHECK_INT(page_pass_flush(pass, 3, /* expected= */ 0), 3);
	CHECK_INT(pass->next, 3 * pass->page_bytes);
	CHECK_INT(page_pass_flush(pass, PAGES, /* expected= */ 0), PAGES);
	CHECK_INT(pass->next, 3 * pass->page_bytes);
	CHECK_INT(page_pass_flush(pass, 1, /* expected= */ 1), -EIO);
	page_pass_leave(&self);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_page_is_touched_once_and_then_the_mapping_is_new),
		cmocka_unit_test(a_flushed_page_of_anonymous_memory_is_zero_again),
		cmocka_unit_test(a_file_keeps_its_pages_over_the_passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
