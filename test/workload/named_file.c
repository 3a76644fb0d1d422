/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/named_file.h"

#include "check.h"
#include "workload/drive.h"

#include <unistd.h>

static void enter(struct worker_self *self, struct work *work, unsigned index,
		  enum named_file_place place)
{
	struct error err = { 0 };
	*self = (struct worker_self) { .work = work, .index = index };
	CHECK_INT(named_file_enter(self, place, &err), 0);
	CHECK_INT(access(self->state, F_OK), 0);
}

static void only_one_file_for_all_has_one_path(void **state)
{
	(void)state;
	for (int place = NAMED_FILE_COMMON_DIRECTORY; place <= NAMED_FILE_ONE; place++) {
		struct work *work = drive_work("open1", "t=2", NULL);
		struct worker_self one;
		struct worker_self other;
		enter(&one, work, 0, (enum named_file_place)place);
		enter(&other, work, 1, (enum named_file_place)place);
		CHECK_INT(strcmp(one.state, other.state) == 0, place == NAMED_FILE_ONE);
		named_file_leave(&one);
		named_file_leave(&other);
		CHECK(one.state == NULL);
		work_free(work);
	}
}

static void opening_leaves_the_file_and_making_removes_it(void **state)
{
	(void)state;
	struct work *work = drive_work("unlink2", NULL);
	struct worker_self self;
	enter(&self, work, 0, NAMED_FILE_OWN_DIRECTORY);
	CHECK_INT(named_file_open(&self, 3), 3);
	CHECK_INT(access(self.state, F_OK), 0);
	CHECK_INT(named_file_make(&self, 3), 3);
	CHECK(access(self.state, F_OK) < 0);
	named_file_leave(&self);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_one_file_for_all_has_one_path),
		cmocka_unit_test(opening_leaves_the_file_and_making_removes_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
