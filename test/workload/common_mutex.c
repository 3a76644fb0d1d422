/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/common_mutex.h"

#include "check.h"
#include "workload/drive.h"

#include <unistd.h>

#include <sys/wait.h>

static void threads_add_behind_the_mutex_without_loss(void **state)
{
	(void)state;
	struct work *work = drive_work("pthread_mutex3", "mode=thread", "t=3", NULL);
	struct error err = { 0 };
	CHECK_INT(common_mutex_prepare(work, &err), 0);
	const struct common_mutex *common = work_shared(work);
	struct worker_self self = { .work = work };
	const int64_t done = work_row(work)->batch(&self) + work_row(work)->batch(&self);
	CHECK(done > 0);
	CHECK_INT(common->count, done);
	common_mutex_retire(work);
	CHECK(work_shared(work) == NULL);
	work_free(work);
}

static void a_process_has_a_mutex_of_its_own(void **state)
{
	(void)state;
	struct work *work = drive_work("pthread_mutex3", "mode=process", NULL);
	struct error err = { 0 };
	CHECK_INT(common_mutex_prepare(work, &err), 0);
	struct common_mutex *common = work_shared(work);
	CHECK_INT(pthread_mutex_lock(&common->mutex), 0);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		/* Its copy is locked as well; what it does to it is not seen here. */
		common->count = 7;
		_exit(pthread_mutex_unlock(&common->mutex));
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	CHECK_INT(common->count, 0);
	CHECK(pthread_mutex_trylock(&common->mutex) != 0);
	CHECK_INT(pthread_mutex_unlock(&common->mutex), 0);
	common_mutex_retire(work);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_add_behind_the_mutex_without_loss),
		cmocka_unit_test(a_process_has_a_mutex_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
