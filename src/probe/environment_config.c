/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's configuration: which file it was read from, the hash of its plain text, and the options that decide how
 * fast the kernel is. The running kernel's own copy (/proc/config.gz) comes before the files that a package has left,
 * which may be another build's with the same release.
 */
#include "base/auto.h"
#include "base/checksum.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "probe/environment_fact.h"
#include "probe/environment_inflate.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CONFIG_BYTES_MAX (4U << 20) /* Of a real kernel 100 to 300 KiB. */

/* Options by the question that they answer. */
static const char *const options[] = {
	/* How tasks are switched and ticks are taken. */
	"PREEMPT_NONE",
	"PREEMPT_VOLUNTARY",
	"PREEMPT",
	"PREEMPT_LAZY",
	"PREEMPT_RT",
	"PREEMPT_DYNAMIC",
	"HZ",
	"HZ_PERIODIC",
	"NO_HZ_IDLE",
	"NO_HZ_FULL",
	"SMP",
	"SCHED_SMT",
	"SCHED_MC",
	"SCHED_CORE",
	"SCHED_AUTOGROUP",
	"SCHED_CLASS_EXT",
	"CFS_BANDWIDTH",
	"RCU_NOCB_CPU",
	"UCLAMP_TASK",
	"CPU_ISOLATION",
	/* Memory. */
	"NUMA",
	"NUMA_BALANCING",
	"NUMA_BALANCING_DEFAULT_ENABLED",
	"TRANSPARENT_HUGEPAGE",
	"TRANSPARENT_HUGEPAGE_ALWAYS",
	"TRANSPARENT_HUGEPAGE_MADVISE",
	"PER_VMA_LOCK",
	"SPECULATIVE_PAGE_FAULT",
	"LRU_GEN",
	"LRU_GEN_ENABLED",
	"SLAB",
	"SLUB",
	"SLUB_CPU_PARTIAL",
	"SLUB_TINY",
	"MEMCG",
	"ZSWAP",
	"KSM",
	"PSI",
	"PSI_DEFAULT_DISABLED",
	"COMPACTION",
	"SHUFFLE_PAGE_ALLOCATOR",
	/* What hardening costs. */
	"RETPOLINE",
	"MITIGATION_RETPOLINE",
	"PAGE_TABLE_ISOLATION",
	"MITIGATION_PAGE_TABLE_ISOLATION",
	"CPU_MITIGATIONS",
	"SPECULATION_MITIGATIONS",
	"RANDOMIZE_BASE",
	"RANDOMIZE_KSTACK_OFFSET_DEFAULT",
	"STACKPROTECTOR_STRONG",
	"HARDENED_USERCOPY",
	"FORTIFY_SOURCE",
	"SLAB_FREELIST_RANDOM",
	"SLAB_FREELIST_HARDENED",
	"INIT_ON_ALLOC_DEFAULT_ON",
	"INIT_ON_FREE_DEFAULT_ON",
	"INIT_STACK_ALL_ZERO",
	"RANDSTRUCT_FULL",
	"CFI_CLANG",
	"SHADOW_CALL_STACK",
	"KFENCE",
	"BUG_ON_DATA_CORRUPTION",
	/* How it was built. */
	"CC_VERSION_TEXT",
	"CC_OPTIMIZE_FOR_PERFORMANCE",
	"CC_OPTIMIZE_FOR_SIZE",
	"LTO_CLANG_THIN",
	"LTO_CLANG_FULL",
	"AUTOFDO_CLANG",
	"PROPELLER_CLANG",
	"GENERIC_CPU",
	"X86_NATIVE_CPU",
	"FRAME_POINTER",
	"UNWINDER_ORC",
	"PARAVIRT",
	"PARAVIRT_SPINLOCKS",
	"HYPERVISOR_GUEST",
	/* What makes it a kernel for debugging. */
	"DEBUG_KERNEL",
	"KASAN",
	"KCSAN",
	"KMSAN",
	"UBSAN",
	"KCOV",
	"GCOV_KERNEL",
	"LOCKDEP",
	"PROVE_LOCKING",
	"PROVE_RCU",
	"LOCK_STAT",
	"DEBUG_LOCK_ALLOC",
	"DEBUG_SPINLOCK",
	"DEBUG_MUTEXES",
	"DEBUG_RWSEMS",
	"DEBUG_RT_MUTEXES",
	"DEBUG_ATOMIC_SLEEP",
	"DEBUG_PREEMPT",
	"DEBUG_IRQFLAGS",
	"DEBUG_LIST",
	"DEBUG_SG",
	"DEBUG_NOTIFIERS",
	"DEBUG_CREDENTIALS",
	"DEBUG_VM",
	"DEBUG_VM_PGFLAGS",
	"DEBUG_VM_MAPLE_TREE",
	"DEBUG_PAGEALLOC",
	"DEBUG_PAGEALLOC_ENABLE_DEFAULT",
	"DEBUG_PAGE_REF",
	"SLUB_DEBUG",
	"SLUB_DEBUG_ON",
	"SLUB_STATS",
	"DEBUG_OBJECTS",
	"DEBUG_KMEMLEAK",
	"DEBUG_STACK_USAGE",
	"DEBUG_PER_CPU_MAPS",
	"DEBUG_ENTRY",
	"DEBUG_TIMEKEEPING",
	"DEBUG_WW_MUTEX_SLOWPATH",
	"DEBUG_INFO_BTF",
	"PAGE_OWNER",
	"PAGE_POISONING",
	"PAGE_TABLE_CHECK",
	"FAULT_INJECTION",
	"SCHED_DEBUG",
	"SCHEDSTATS",
	"LATENCYTOP",
	"FTRACE",
	"FUNCTION_TRACER",
	"IRQSOFF_TRACER",
	"PREEMPT_TRACER",
	"TRACE_IRQFLAGS",
	"KPROBES",
	"DYNAMIC_DEBUG",
	"BPF_JIT_ALWAYS_ON",
	"AUDITSYSCALL",
};

static int read_plain(int root_fd, const char *path, char **ret_text, size_t *ret_length)
{
	return fs_read_whole_at(root_fd, path, CONFIG_BYTES_MAX, ret_text, ret_length,
				/* err= */ NULL);
}

static int read_packed(int root_fd, const char *path, char **ret_text, size_t *ret_length)
{
	AUTO(text) char *packed = NULL;
	size_t length = 0;
	const int status = read_plain(root_fd, path, &packed, &length);
	return status < 0 ? status
			  : environment_inflate(packed, length, CONFIG_BYTES_MAX, ret_text,
						ret_length);
}

/* Finds the configuration; 0 with the text and the name of its file, or why the first one tried could not be had. */
static int find_config(int root_fd, char **ret_text, size_t *ret_length, char **ret_source)
{
	static const char *const formats[][2] = { { "boot/config-", "" },
						  { "lib/modules/", "/config" } };
	char release[256];
	const int packed = read_packed(root_fd, "proc/config.gz", ret_text, ret_length);
	if (packed == 0) {
		*ret_source = mem_text("proc/config.gz");
		return 0;
	}
	int first = packed;
	if (fs_read_line_at(root_fd, "proc/sys/kernel/osrelease", release, sizeof(release)) <= 0)
		return first;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		AUTO(text) char *path = mem_format("%s%s%s", formats[i][0], release, formats[i][1]);
		const int status = read_plain(root_fd, path, ret_text, ret_length);
		if (status == 0) {
			*ret_source = KEEP(path);
			return 0;
		}
		/* A file that is there and may not be read says more than one that is not there. */
		first = first == -ENOENT ? status : first;
	}
	return first;
}

static enum missing missing_from_config(int status)
{
	return status == -EBADMSG || status == -EFBIG ? MISSING_MALFORMED
						      : missing_from_errno(-status);
}

/* The value that a line gives to an option: "CONFIG_HZ=250" or "# CONFIG_SMP is not set". */
static bool option_value(const char *line, const char *option, char *value, size_t size)
{
	const bool is_off = text_starts_with(line, "# CONFIG_");
	if (!is_off && !text_starts_with(line, "CONFIG_"))
		return false;
	line += is_off ? strlen("# CONFIG_") : strlen("CONFIG_");
	if (!text_starts_with(line, option))
		return false;
	line += strlen(option);
	if (is_off && text_starts_with(line, " is not set")) {
		(void)snprintf(value, size, "n");
		return true;
	}
	if (is_off || *line != '=')
		return false;
	line++;
	size_t length = strcspn(line, "\n");
	if (length >= 2 && line[0] == '"' && line[length - 1] == '"') {
		line++;
		length -= 2;
	}
	environment_copy(value, size, line, length);
	return true;
}

/* An option that the file does not mention is one that this kernel or this architecture does not have. */
static void record_options(struct environment *environment, const char *config)
{
	bool found[ARRAY_SIZE(options)] = { false };
	for (const char *line = config; *line; line = environment_next_line(line)) {
		char name[ENVIRONMENT_NAME_BYTES];
		char value[256];
		for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
			if (found[i] || !option_value(line, options[i], value, sizeof(value)))
				continue;
			found[i] = true;
			(void)snprintf(name, sizeof(name), "kernel.config.%s", options[i]);
			environment_known(environment, name, value);
			break;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		char name[ENVIRONMENT_NAME_BYTES];
		(void)snprintf(name, sizeof(name), "kernel.config.%s", options[i]);
		if (!found[i])
			environment_missing(environment, name, MISSING_ABSENT);
	}
}

void environment_config(struct environment *environment)
{
	AUTO(text) char *config = NULL;
	AUTO(text) char *source = NULL;
	size_t length = 0;
	char hash[CHECKSUM_SHA256_HEX];
	const int status = find_config(environment->root_fd, &config, &length, &source);
	if (status < 0) {
		environment_missing(environment, "kernel.config.source",
				    missing_from_config(status));
		environment_missing(environment, "kernel.config.sha256",
				    missing_from_config(status));
		return;
	}
	checksum_sha256_hex(config, length, hash);
	environment_known(environment, "kernel.config.source", source);
	environment_known(environment, "kernel.config.sha256", hash);
	record_options(environment, config);
}
