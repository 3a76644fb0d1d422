/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor: what it is (/proc/cpuinfo), how many of it there are (environment_topology.h), and the settings that
 * decide how fast it runs: governor, turbo, idle states, mitigations.
 */
#include "base/fs.h"
#include "base/macros.h"
#include "base/text.h"
#include "probe/environment_fact.h"
#include "probe/environment_topology.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CPU_FOLDER "sys/devices/system/cpu"
#define CACHES_MAX 8
#define IDLE_STATES_MAX 16

/* Where each architecture's /proc/cpuinfo says the same thing. */
static const struct {
	const char *name;
	const char *keys[3];
} identity[] = {
	{ "cpu.vendor", { "vendor_id", "CPU implementer", NULL } },
	{ "cpu.family", { "cpu family", "CPU architecture", NULL } },
	{ "cpu.model", { "model", "CPU part", NULL } },
	{ "cpu.model_name", { "model name", "Model Name", "cpu" } },
	{ "cpu.stepping", { "stepping", "CPU revision", "revision" } },
	{ "cpu.microcode", { "microcode", NULL, NULL } },
};

/* The value of `key` in the first lines "key<blanks>: value"; false when no line has that key. */
static bool find_value(const char *cpuinfo, const char *key, char *buffer, size_t size)
{
	const size_t key_length = strlen(key);
	for (const char *line = cpuinfo; *line; line = environment_next_line(line)) {
		if (strncmp(line, key, key_length) != 0)
			continue;
		const char *at = line + key_length;
		at += strspn(at, " \t");
		if (*at != ':')
			continue;
		at++;
		at += strspn(at, " \t");
		environment_copy(buffer, size, at, strcspn(at, "\n"));
		return true;
	}
	return false;
}

static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

static void record_identity(struct environment *environment)
{
	/* The first processor's lines are enough, and they come first: the flags of a new one take 4 KiB. */
	char cpuinfo[4 * ENVIRONMENT_LINE_BYTES];
	char value[2 * ENVIRONMENT_LINE_BYTES];
	const ssize_t length =
		fs_read_at(environment->root_fd, "proc/cpuinfo", cpuinfo, sizeof(cpuinfo));
	const enum missing why = length < 0 ? missing_from_errno((int)-length) : MISSING_ABSENT;
	for (size_t i = 0; i < ARRAY_SIZE(identity); i++) {
		bool found = false;
		for (size_t k = 0; length >= 0 && !found && k < ARRAY_SIZE(identity[i].keys); k++)
			found = identity[i].keys[k] &&
				find_value(cpuinfo, identity[i].keys[k], value, sizeof(value));
		if (found)
			environment_known(environment, identity[i].name, value);
		else
			environment_missing(environment, identity[i].name, why);
	}
	if (length >= 0 && find_value(cpuinfo, "flags", value, sizeof(value)))
		environment_known(environment, "cpu.hypervisor_flag",
				  has_word(value, "hypervisor") ? "yes" : "no");
	else
		environment_missing(environment, "cpu.hypervisor_flag", why);
}

static void record_count(struct environment *environment, const char *name, unsigned count)
{
	if (count > 0)
		environment_number(environment, name, count);
	else
		environment_missing(environment, name, MISSING_ABSENT);
}

static void record_topology(struct environment *environment,
			    const struct environment_topology *topology)
{
	AUTO(text_buffer) struct text online = { 0 };
	environment_cpus_show(&topology->online, &online);
	if (topology->online.count > 0)
		environment_known(environment, "cpu.online", text_string(&online));
	else
		environment_missing(environment, "cpu.online", MISSING_ABSENT);
	record_count(environment, "cpu.count", topology->online.count);
	record_count(environment, "cpu.cores", topology->cores);
	record_count(environment, "cpu.sockets", topology->sockets);
	record_count(environment, "cpu.threads_per_core", topology->threads_per_core);
}

/* The caches of the first online CPU; those of the others differ only in hybrid processors. */
static void record_cache(struct environment *environment, const struct environment_cpus *cpus,
			 unsigned index)
{
	static const struct {
		const char *type;
		const char *letter;
	} types[] = { { "Data", "d" }, { "Instruction", "i" }, { "Unified", "" } };
	char path[128];
	char file[64];
	char level[8];
	char type[16];
	(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cache/index%u/level",
		       cpus->numbers[0], index);
	if (fs_read_line_at(environment->root_fd, path, level, sizeof(level)) <= 0)
		return;
	(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cache/index%u/type", cpus->numbers[0],
		       index);
	if (fs_read_line_at(environment->root_fd, path, type, sizeof(type)) <= 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strcmp(type, types[i].type) != 0)
			continue;
		char name[64];
		struct environment_distinct sizes = { 0 };
		for (unsigned c = 0; c < cpus->count; c++) {
			(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cache/index%u/size",
				       cpus->numbers[c], index);
			environment_distinct_read(&sizes, environment->root_fd, path);
		}
		(void)snprintf(name, sizeof(name), "cpu.cache.L%s%s", level, types[i].letter);
		environment_distinct_record(environment, name, &sizes);
		(void)snprintf(file, sizeof(file), "cache/index%u/shared_cpu_map", index);
		(void)snprintf(name, sizeof(name), "cpu.cache.L%s%s.instances", level,
			       types[i].letter);
		record_count(environment, name,
			     environment_groups_count(environment->root_fd, cpus, file,
						      /* ret_largest= */ NULL));
	}
}

/* One value of a file in each CPU's folder, or "mixed: ...". */
static void record_same(struct environment *environment, const struct environment_cpus *cpus,
			const char *name, const char *file)
{
	struct environment_distinct distinct = { 0 };
	char path[128];
	for (unsigned i = 0; i < cpus->count; i++) {
		(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/%s", cpus->numbers[i], file);
		environment_distinct_read(&distinct, environment->root_fd, path);
	}
	environment_distinct_record(environment, name, &distinct);
}

/* Intel's driver says "no turbo", the others say "boost": one word for both. */
static void record_turbo(struct environment *environment)
{
	char state[8];
	if (fs_read_line_at(environment->root_fd, CPU_FOLDER "/intel_pstate/no_turbo", state,
			    sizeof(state)) > 0) {
		environment_known(environment, "cpu.turbo", strcmp(state, "0") == 0 ? "on" : "off");
		return;
	}
	const ssize_t length = fs_read_line_at(environment->root_fd, CPU_FOLDER "/cpufreq/boost",
					       state, sizeof(state));
	if (length < 0)
		environment_missing(environment, "cpu.turbo", missing_from_errno((int)-length));
	else
		environment_known(environment, "cpu.turbo", strcmp(state, "0") == 0 ? "off" : "on");
}

/* "POLL C1 C6": the idle states of one CPU that are not disabled. False when the kernel shows none. */
static bool show_idle_states(int root_fd, unsigned cpu, struct text *states)
{
	bool any = false;
	for (unsigned i = 0; i < IDLE_STATES_MAX; i++) {
		char path[128];
		char name[64];
		char disabled[8];
		(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cpuidle/state%u/name", cpu,
			       i);
		if (fs_read_line_at(root_fd, path, name, sizeof(name)) < 0)
			break;
		any = true;
		(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cpuidle/state%u/disable", cpu,
			       i);
		if (fs_read_line_at(root_fd, path, disabled, sizeof(disabled)) > 0 &&
		    strcmp(disabled, "0") != 0)
			continue;
		text_add(states, "%s%s", states->length > 0 ? " " : "", name);
	}
	return any;
}

static void record_idle_states(struct environment *environment, const struct environment_cpus *cpus)
{
	struct environment_distinct distinct = { 0 };
	for (unsigned i = 0; i < cpus->count; i++) {
		AUTO(text_buffer) struct text states = { 0 };
		if (show_idle_states(environment->root_fd, cpus->numbers[i], &states))
			environment_distinct_add(&distinct, text_string(&states));
	}
	environment_distinct_record(environment, "cpu.idle_states", &distinct);
}

static void record_vulnerability(const char *name, void *user)
{
	struct environment *environment = user;
	char fact[ENVIRONMENT_NAME_BYTES];
	char path[ENVIRONMENT_NAME_BYTES + sizeof(CPU_FOLDER "/vulnerabilities/")];
	(void)snprintf(fact, sizeof(fact), "vulnerability.%.150s", name);
	(void)snprintf(path, sizeof(path), CPU_FOLDER "/vulnerabilities/%.190s", name);
	environment_line(environment, fact, path);
}

void environment_cpu(struct environment *environment)
{
	struct environment_topology topology;
	const struct environment_cpus *cpus = &topology.online;
	environment_topology_read(environment->root_fd, &topology);
	record_identity(environment);
	record_topology(environment, &topology);
	environment_line(environment, "cpu.possible", CPU_FOLDER "/possible");
	environment_line(environment, "cpu.isolated", CPU_FOLDER "/isolated");
	environment_line(environment, "cpu.nohz_full", CPU_FOLDER "/nohz_full");
	environment_line(environment, "cpu.smt.control", CPU_FOLDER "/smt/control");
	for (unsigned i = 0; cpus->count > 0 && i < CACHES_MAX; i++)
		record_cache(environment, cpus, i);
	record_same(environment, cpus, "cpu.governor", "cpufreq/scaling_governor");
	record_same(environment, cpus, "cpu.frequency_driver", "cpufreq/scaling_driver");
	record_same(environment, cpus, "cpu.energy_preference",
		    "cpufreq/energy_performance_preference");
	record_same(environment, cpus, "cpu.frequency_khz_min", "cpufreq/scaling_min_freq");
	record_same(environment, cpus, "cpu.frequency_khz_max", "cpufreq/scaling_max_freq");
	record_turbo(environment);
	environment_line(environment, "cpu.idle_driver", CPU_FOLDER "/cpuidle/current_driver");
	if (fs_exists_at(environment->root_fd, CPU_FOLDER "/cpuidle/current_governor"))
		environment_line(environment, "cpu.idle_governor",
				 CPU_FOLDER "/cpuidle/current_governor");
	else
		environment_line(environment, "cpu.idle_governor",
				 CPU_FOLDER "/cpuidle/current_governor_ro");
	record_idle_states(environment, cpus);
	(void)environment_folder_each(
		environment->root_fd, CPU_FOLDER "/vulnerabilities", record_vulnerability,
		environment); /* Kernels before 4.15 have no such folder, and no names. */
}
