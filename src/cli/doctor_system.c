/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's checks of what is set up in software: kernel options, limits, memory, what is loaded into programs. */
#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/doctor_check.h"
#include "record/run.h"

#include <string.h>

#define MEMORY_FREE_PERCENT_MIN 10
#define MEMORY_FREE_MIB_MIN 256
#define OPEN_FILES_MIN 4096

/* Names of the options in the list that are switched on, separated by blanks; NULL when none is. */
static char *options_on(const struct doctor_patient *patient, const char *const *options, size_t n)
{
	AUTO(text_buffer) struct text on = { 0 };
	for (size_t i = 0; i < n; i++) {
		AUTO(text) char *name = mem_format("kernel.config.%s", options[i]);
		if (doctor_fact_is(patient, name, "y"))
			text_add(&on, "%sCONFIG_%s", on.length > 0 ? " " : "", options[i]);
	}
	return on.length > 0 ? text_take(&on) : NULL;
}

static bool look_debug_kernel(const struct doctor_patient *patient, struct doctor_words *found)
{
	static const char *const heavy[] = { "KASAN",
					     "KCSAN",
					     "KMSAN",
					     "KCOV",
					     "GCOV_KERNEL",
					     "PROVE_LOCKING",
					     "LOCKDEP",
					     "LOCK_STAT",
					     "DEBUG_OBJECTS",
					     "DEBUG_KMEMLEAK",
					     "SLUB_DEBUG_ON",
					     "DEBUG_SPINLOCK",
					     "DEBUG_MUTEXES",
					     "DEBUG_ATOMIC_SLEEP",
					     "DEBUG_PAGEALLOC_ENABLE_DEFAULT",
					     "DEBUG_VM_PGFLAGS" };
	AUTO(text) char *on = options_on(patient, heavy, ARRAY_SIZE(heavy));
	return on && doctor_say(found, mem_format("the kernel is built for debugging: %s", on),
				mem_text("boot a kernel that is built without these options"));
}

static bool look_preload(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *preload = doctor_fact(patient, "process.preload");
	if (!patient->is_live || !preload || strcmp(preload, "none") == 0)
		return false;
	const bool by_variable = doctor_fact(patient, "env.LD_PRELOAD") != NULL;
	return doctor_say(found, mem_format("libraries are loaded into every program: %s", preload),
			  mem_text(by_variable
					   ? "unset LD_PRELOAD"
					   : "sudo mv /etc/ld.so.preload /etc/ld.so.preload.off"));
}

/* All variables that change the allocator; LD_PRELOAD has its own check. */
static bool look_variables(const struct doctor_patient *patient, struct doctor_words *found)
{
	AUTO(text_buffer) struct text names = { 0 };
	for (size_t i = 0; patient->is_live && i < patient->run->n_facts; i++) {
		const char *name = patient->run->facts[i].name;
		if (text_starts_with(name, "env.MALLOC_") ||
		    strcmp(name, "env.GLIBC_TUNABLES") == 0)
			text_add(&names, " %s", name + strlen("env."));
	}
	return names.length > 0 &&
	       doctor_say(found, mem_format("the C library is tuned by%s", text_string(&names)),
			  mem_format("unset%s", text_string(&names)));
}

static bool look_quota(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *quota = doctor_fact(patient, "cgroup.cpu.max");
	const char *path = doctor_fact(patient, "cgroup.path");
	if (!quota || strcmp(quota, "max") == 0)
		return false;
	const bool is_v2 = doctor_fact_is(patient, "cgroup.version", "2");
	const char *below = path && strcmp(path, "/") != 0 ? path : "";
	char *mend =
		is_v2 ? mem_format(
				"echo max | sudo tee /sys/fs/cgroup%s/cpu.max (or in the group above that sets it)",
				below)
		      : mem_format(
				"echo -1 | sudo tee /sys/fs/cgroup/cpu%s/cpu.cfs_quota_us (or in the group above "
				"that sets it)",
				below);
	return doctor_say(
		found,
		mem_format("a control group limits the CPU time: %s microseconds of each period",
			   quota),
		mend);
}

static bool look_taint(const struct doctor_patient *patient, struct doctor_words *found)
{
	enum { DIED = 1 << 7, WARNED = 1 << 9, LOCKED_UP = 1 << 14 };
	uint64_t taint = 0;
	if (!doctor_fact_number(patient, "kernel.taint", &taint) ||
	    !(taint & (DIED | WARNED | LOCKED_UP)))
		return false;
	return doctor_say(
		found,
		mem_format("the kernel has warned or crashed since it was booted (taint %s)",
			   doctor_fact(patient, "kernel.taint")),
		mem_text("sudo dmesg | grep -B2 -A30 'cut here', then sudo reboot"));
}

static bool look_swap(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t total = 0;
	uint64_t available = 0;
	return doctor_fact_number(patient, "swap.total_mib", &total) &&
	       doctor_fact_number(patient, "free.swap_mib", &available) && available < total &&
	       doctor_say(found,
			  mem_format("%llu MiB are swapped out",
				     (unsigned long long)(total - available)),
			  mem_text("sudo swapoff -a && sudo swapon -a"));
}

static bool look_memory(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t total = 0;
	uint64_t available = 0;
	return doctor_fact_number(patient, "memory.total_mib", &total) &&
	       doctor_fact_number(patient, "free.memory_mib", &available) &&
	       (available < MEMORY_FREE_MIB_MIN ||
		available * 100 < total * MEMORY_FREE_PERCENT_MIN) &&
	       doctor_say(
		       found,
		       mem_format("only %llu of %llu MiB of memory are available",
				  (unsigned long long)available, (unsigned long long)total),
		       mem_text(
			       "ps -eo rss,pid,comm --sort=-rss | head -20, and stop what it shows"));
}

static bool look_memory_limit(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t bytes = 0;
	uint64_t total = 0;
	return doctor_fact_number(patient, "cgroup.memory.max", &bytes) &&
	       doctor_fact_number(patient, "memory.total_mib", &total) && bytes >> 20 < total &&
	       doctor_say(
		       found,
		       mem_format("a control group limits the memory to %llu MiB",
				  (unsigned long long)(bytes >> 20)),
		       mem_text(
			       "start assay in a group without memory.max: sudo systemd-run --scope assay ..."));
}

static bool look_affinity(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *mine = doctor_fact(patient, "process.affinity");
	const char *online = doctor_fact(patient, "cpu.online");
	return patient->is_live && mine && online && strcmp(mine, online) != 0 &&
	       doctor_say(found,
			  mem_format("this process may use only CPUs %s of %s", mine, online),
			  mem_format("taskset -c %s assay ...", online));
}

static bool look_debug_options(const struct doctor_patient *patient, struct doctor_words *found)
{
	static const char *const light[] = { "DEBUG_VM",        "DEBUG_PREEMPT",
					     "DEBUG_SG",        "DEBUG_NOTIFIERS",
					     "UBSAN",           "PAGE_TABLE_CHECK",
					     "FAULT_INJECTION", "IRQSOFF_TRACER",
					     "PREEMPT_TRACER",  "DEBUG_IRQFLAGS" };
	AUTO(text) char *on = options_on(patient, light, ARRAY_SIZE(light));
	return on && doctor_say(found, mem_format("the kernel carries checks: %s", on),
				mem_text("boot a kernel that is built without these options"));
}

static bool look_balancing(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t nodes = 0;
	const char *state = doctor_fact(patient, "sysctl.kernel.numa_balancing");
	return state && strcmp(state, "0") != 0 &&
	       doctor_fact_number(patient, "node.count", &nodes) && nodes > 1 &&
	       doctor_say(found, mem_text("NUMA balancing is on"),
			  mem_text("sudo sysctl kernel.numa_balancing=0"));
}

static bool look_thp(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_fact_is(patient, "thp.enabled", "always") &&
	       doctor_say(
		       found, mem_text("transparent huge pages are always used"),
		       mem_text(
			       "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"));
}

static bool look_ksm(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_fact_is(patient, "memory.ksm", "1") &&
	       doctor_say(found, mem_text("the kernel merges equal pages (KSM)"),
			  mem_text("echo 0 | sudo tee /sys/kernel/mm/ksm/run"));
}

static bool look_irqbalance(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_fact_is(patient, "irqbalance", "running") &&
	       doctor_say(found, mem_text("irqbalance is running"),
			  mem_text("sudo systemctl stop irqbalance"));
}

static bool look_watchdog(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_fact_is(patient, "sysctl.kernel.nmi_watchdog", "1") &&
	       doctor_say(found, mem_text("the NMI watchdog is on"),
			  mem_text("sudo sysctl kernel.nmi_watchdog=0"));
}

static bool look_aslr(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *state = doctor_fact(patient, "sysctl.kernel.randomize_va_space");
	return state && strcmp(state, "0") != 0 &&
	       !(patient->is_live && doctor_fact_is(patient, "process.aslr", "off")) &&
	       doctor_say(
		       found, mem_text("address spaces are laid out at random (ASLR)"),
		       mem_text(
			       "setarch -R assay ..., or sudo sysctl kernel.randomize_va_space=0"));
}

static bool look_paranoid(const struct doctor_patient *patient, struct doctor_words *found)
{
	double level = 0;
	const char *text = doctor_fact(patient, "sysctl.kernel.perf_event_paranoid");
	return !doctor_is_root(patient) && text && text_parse_f64(text, &level) && level > 1 &&
	       doctor_say(
		       found,
		       mem_format(
			       "performance counters of the kernel are closed to you (perf_event_paranoid %s)",
			       text),
		       mem_text("sudo sysctl kernel.perf_event_paranoid=1"));
}

static bool look_open_files(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t limit = 0;
	return patient->is_live && doctor_fact_number(patient, "limit.open_files", &limit) &&
	       limit < OPEN_FILES_MIN &&
	       doctor_say(
		       found,
		       mem_format("a process may open only %llu files", (unsigned long long)limit),
		       mem_text("ulimit -n $(ulimit -Hn)"));
}

static bool look_namespaces(const struct doctor_patient *patient, struct doctor_words *found)
{
	static const struct {
		const char *fact;
		const char *closed;
		const char *mend;
	} locks[] = {
		{ "sysctl.user.max_user_namespaces", "0",
		  "sudo sysctl user.max_user_namespaces=10000" },
		{ "sysctl.kernel.unprivileged_userns_clone", "0",
		  "sudo sysctl kernel.unprivileged_userns_clone=1" },
		{ "sysctl.kernel.apparmor_restrict_unprivileged_userns", "1",
		  "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0" },
	};
	for (size_t i = 0; !doctor_is_root(patient) && i < ARRAY_SIZE(locks); i++)
		if (doctor_fact_is(patient, locks[i].fact, locks[i].closed))
			return doctor_say(found, mem_text("you may not make user namespaces"),
					  mem_text(locks[i].mend));
	return false;
}

const struct doctor_check doctor_system_checks[] = {
	{ "debug-kernel", DOCTOR_WRONG, "such a kernel is several times slower, and not evenly",
	  look_debug_kernel },
	{ "preload", DOCTOR_WRONG,
	  "a preloaded library can replace malloc or locks and become what is measured",
	  look_preload },
	{ "malloc-variables", DOCTOR_WRONG, "allocator checks or arenas can serialise every free",
	  look_variables },
	{ "cpu-quota", DOCTOR_WRONG,
	  "a workload is stopped as soon as it has used its share of a period", look_quota },
	{ "taint", DOCTOR_WRONG,
	  "after a warning or an oops locks may be held and checks switched off", look_taint },
	{ "memory-limit", DOCTOR_NOISY,
	  "the workload may be made to reclaim or be killed at that size", look_memory_limit },
	{ "swap", DOCTOR_NOISY, "the first touch of a swapped page waits for a disk", look_swap },
	{ "memory", DOCTOR_NOISY, "reclaim runs beside the workload", look_memory },
	{ "affinity", DOCTOR_NOISY, "the workers are squeezed onto a part of the machine",
	  look_affinity },
	{ "debug-options", DOCTOR_NOTE, "they cost some per cent on some paths",
	  look_debug_options },
	{ "numa-balancing", DOCTOR_NOTE,
	  "pages and tasks move during a run; placement differs from run to run", look_balancing },
	{ "thp", DOCTOR_NOTE, "page-fault tests count faults of 2 MiB, when there is such a page",
	  look_thp },
	{ "ksm", DOCTOR_NOTE, "a kernel thread scans memory and makes later writes fault",
	  look_ksm },
	{ "irqbalance", DOCTOR_NOTE, "interrupts move between CPUs during a run", look_irqbalance },
	{ "watchdog", DOCTOR_NOTE, "it occupies one hardware counter on every CPU", look_watchdog },
	{ "aslr", DOCTOR_NOTE,
	  "layout differs from process to process and moves cache conflicts with it", look_aslr },
	{ "perf-paranoid", DOCTOR_NOTE, "perf monitors will see user space only, or nothing",
	  look_paranoid },
	{ "open-files", DOCTOR_NOTE,
	  "hackbench with many groups and one-file-a-worker tests will not start",
	  look_open_files },
	{ "namespaces", DOCTOR_NOTE,
	  "runs cannot be kept in a PID namespace; a weaker way will be used", look_namespaces },
};
const size_t doctor_system_checks_count = ARRAY_SIZE(doctor_system_checks);
