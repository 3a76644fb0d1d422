/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's checks of the software around a measurement: what makes each speak, and what must not. */
#include "check.h"
#include "cli/doctor_case.h"

static const struct doctor_patient recorded = { 0 };
static const struct doctor_patient live = { .is_live = true };

static const struct doctor_case cases[] = {
	{ "debug-kernel",
	  "kernel.config.KASAN=y;kernel.config.PROVE_LOCKING=y;kernel.config.KCOV=n",
	  "CONFIG_KASAN CONFIG_PROVE_LOCKING", "boot a kernel" },
	{ "debug-kernel", "kernel.config.KASAN=n;kernel.config.LOCKDEP!;kernel.config.DEBUG_VM=y",
	  NULL, NULL },
	{ "debug-options", "kernel.config.DEBUG_VM=y", "CONFIG_DEBUG_VM", NULL },
	{ "debug-options", "kernel.config.DEBUG_LIST=y", NULL, NULL },
	{ "cpu-quota", "cgroup.cpu.max=50000 100000;cgroup.version=2;cgroup.path=/a/b",
	  "50000 100000", "/sys/fs/cgroup/a/b/cpu.max" },
	{ "cpu-quota", "cgroup.cpu.max=50000 100000;cgroup.version=1;cgroup.path=/", "50000 100000",
	  "/sys/fs/cgroup/cpu/cpu.cfs_quota_us" },
	{ "cpu-quota", "cgroup.cpu.max=max", NULL, NULL },
	{ "cpu-quota", "cgroup.cpu.max!", NULL, NULL },
	{ "memory-limit", "cgroup.memory.max=1073741824;memory.total_mib=4096", "1024 MiB", NULL },
	{ "memory-limit", "cgroup.memory.max=8589934592;memory.total_mib=4096", NULL, NULL },
	{ "memory-limit", "cgroup.memory.max=max;memory.total_mib=4096", NULL, NULL },
	{ "taint", "kernel.taint=512", "taint 512", "reboot" },
	{ "taint", "kernel.taint=128", "warned or crashed", NULL },
	{ "taint", "kernel.taint=4097", NULL, NULL }, /* A module from elsewhere. */
	{ "taint", "kernel.taint=0", NULL, NULL },
	{ "swap", "swap.total_mib=1000;free.swap_mib=900", "100 MiB", "swapoff" },
	{ "swap", "swap.total_mib=1000;free.swap_mib=1000", NULL, NULL },
	{ "swap", "swap.total_mib=0;free.swap_mib=0", NULL, NULL },
	{ "memory", "memory.total_mib=10000;free.memory_mib=900", "only 900 of 10000 MiB",
	  "ps -eo" },
	{ "memory", "memory.total_mib=1000;free.memory_mib=200", "only 200", NULL },
	{ "memory", "memory.total_mib=10000;free.memory_mib=1000", NULL, NULL },
	{ "memory", "memory.total_mib=10000;free.memory_mib!", NULL, NULL },
	{ "numa-balancing", "sysctl.kernel.numa_balancing=1;node.count=2", "on",
	  "kernel.numa_balancing=0" },
	{ "numa-balancing", "sysctl.kernel.numa_balancing=1;node.count=1", NULL, NULL },
	{ "numa-balancing", "sysctl.kernel.numa_balancing=0;node.count=2", NULL, NULL },
	{ "thp", "thp.enabled=always", "always", "echo madvise" },
	{ "thp", "thp.enabled=madvise", NULL, NULL },
	{ "ksm", "memory.ksm=1", "KSM", "ksm/run" },
	{ "ksm", "memory.ksm=0", NULL, NULL },
	{ "irqbalance", "irqbalance=running", "running", "systemctl stop" },
	{ "irqbalance", "irqbalance=not running", NULL, NULL },
	{ "watchdog", "sysctl.kernel.nmi_watchdog=1", "on", "nmi_watchdog=0" },
	{ "watchdog", "sysctl.kernel.nmi_watchdog=0", NULL, NULL },
	{ "aslr", "sysctl.kernel.randomize_va_space=2", "at random", "setarch -R" },
	{ "aslr", "sysctl.kernel.randomize_va_space=0", NULL, NULL },
	{ "perf-paranoid", "sysctl.kernel.perf_event_paranoid=4;process.user=not root",
	  "perf_event_paranoid 4", "perf_event_paranoid=1" },
	{ "perf-paranoid", "sysctl.kernel.perf_event_paranoid=-1;process.user=not root", NULL,
	  NULL },
	{ "perf-paranoid", "sysctl.kernel.perf_event_paranoid=4;process.user=root", NULL, NULL },
	{ "namespaces", "sysctl.user.max_user_namespaces=0;process.user=not root",
	  "user namespaces", "user.max_user_namespaces=" },
	{ "namespaces", "sysctl.kernel.unprivileged_userns_clone=0;process.user=not root",
	  "user namespaces", "userns_clone=1" },
	{ "namespaces",
	  "sysctl.kernel.apparmor_restrict_unprivileged_userns=1;process.user=not root",
	  "namespaces", "restrict_unprivileged_userns=0" },
	{ "namespaces", "sysctl.user.max_user_namespaces=0;process.user=root", NULL, NULL },
};

/* Of the process: they count only when the facts are this machine's. */
static const struct doctor_case own_cases[] = {
	{ "preload", "process.preload=libslow.so;env.LD_PRELOAD=libslow.so", "libslow.so",
	  "unset LD_PRELOAD" },
	{ "preload", "process.preload=/usr/lib/libslow.so", "libslow.so", "/etc/ld.so.preload" },
	{ "malloc-variables", "env.MALLOC_CHECK_=3;env.GLIBC_TUNABLES=x",
	  "GLIBC_TUNABLES MALLOC_CHECK_", "unset GLIBC_TUNABLES MALLOC_CHECK_" },
	{ "affinity", "process.affinity=0-1;cpu.online=0-3", "0-1 of 0-3", "taskset -c 0-3" },
	{ "open-files", "limit.open_files=1024", "1024", "ulimit" },
};

static const struct doctor_case quiet_cases[] = {
	{ "preload", "process.preload=none", NULL, NULL },
	{ "malloc-variables", "env.LD_LIBRARY_PATH=x", NULL, NULL },
	{ "affinity", "process.affinity=0-3;cpu.online=0-3", NULL, NULL },
	{ "open-files", "limit.open_files=unlimited", NULL, NULL },
	{ "aslr", "sysctl.kernel.randomize_va_space=2;process.aslr=off", NULL, NULL },
};

static void each_check_speaks_when_it_must_and_only_then(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		doctor_case_check(&cases[i], &recorded);
	for (size_t i = 0; i < sizeof(quiet_cases) / sizeof(quiet_cases[0]); i++)
		doctor_case_check(&quiet_cases[i], &live);
}

static void facts_of_this_process_say_nothing_about_a_recorded_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(own_cases) / sizeof(own_cases[0]); i++) {
		struct doctor_case silent = own_cases[i];
		silent.what = NULL;
		doctor_case_check(&own_cases[i], &live);
		doctor_case_check(&silent, &recorded);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_check_speaks_when_it_must_and_only_then),
		cmocka_unit_test(facts_of_this_process_say_nothing_about_a_recorded_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
