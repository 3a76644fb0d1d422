/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did the settings that make a subject hold while it was measured, and can they do anything here? */
#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"

#include <fnmatch.h>
#include <string.h>

extern const struct guard guard_settings;

/* Two sysctls of which setting one takes the other back. */
static const char *const twins[][2] = {
	{ "vm.dirty_bytes", "vm.dirty_ratio" },
	{ "vm.dirty_background_bytes", "vm.dirty_background_ratio" },
	{ "vm.overcommit_kbytes", "vm.overcommit_ratio" },
};

/* A sysctl that does nothing as long as a fact has a value that fits. */
static const struct idle {
	const char *sysctl;
	const char *fact;
	const char *value;
	const char *why;
} idles[] = {
	{ "vm.overcommit_ratio", "sysctl.vm.overcommit_memory", "[01]",
	  "it counts only with vm.overcommit_memory=2" },
	{ "vm.overcommit_kbytes", "sysctl.vm.overcommit_memory", "[01]",
	  "it counts only with vm.overcommit_memory=2" },
	{ "vm.swappiness", "swap.total_mib", "0", "there is no swap" },
	{ "vm.page-cluster", "swap.total_mib", "0", "there is no swap" },
	{ "kernel.numa_balancing*", "node.count", "1", "there is one memory node" },
	{ "vm.zone_reclaim_mode", "node.count", "1", "there is one memory node" },
	{ "vm.min_unmapped_ratio", "node.count", "1", "there is one memory node" },
	{ "vm.min_slab_ratio", "node.count", "1", "there is one memory node" },
	{ "kernel.numa_balancing_*", "sysctl.kernel.numa_balancing", "0",
	  "kernel.numa_balancing is 0" },
	{ "kernel.sched_cfs_bandwidth_slice_us", "cgroup.cpu.max", "max",
	  "no control group has a quota of CPU time" },
};

/* "vm.numa_stat" of vm/numa_stat. New string. */
static char *dotted(const char *key)
{
	char *name = mem_text(key);
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '.';
	return name;
}

static const struct setting *find_setting(const struct job *job, const char *sysctl)
{
	for (size_t i = 0; i < job->n_settings; i++) {
		AUTO(text) char *name = dotted(job->settings[i].key ? job->settings[i].key : "");
		if (job->settings[i].kind == SETTING_SYSCTL && text_equal(name, sysctl))
			return &job->settings[i];
	}
	return NULL;
}

/* Equal but for blanks, as the kernel prints tabs between the numbers of a list. */
static bool is_equal(const char *one, const char *other)
{
	for (;;) {
		one += strspn(one, " \t");
		other += strspn(other, " \t");
		if (!*one || !*other)
			return !*one && !*other;
		if (*one++ != *other++)
			return false;
	}
}

/* The first value that a complete run of the side recorded and that is not the one wanted. */
static const char *other_value(const struct comparison *comparison, size_t side, const char *fact,
			       const char *wanted)
{
	const struct side_order *order = &comparison->orders[side];
	for (size_t i = 0; i < order->n; i++) {
		const struct fact *found = run_fact_find(order->runs[i], fact);
		if (found && found->state == VALUE_KNOWN && !is_equal(found->text, wanted))
			return found->text;
	}
	return NULL;
}

static void check_held(struct comparison *comparison, size_t side, const struct setting *setting,
		       const char *name)
{
	AUTO(text) char *fact = mem_format("sysctl.%s", name);
	const char *other = other_value(comparison, side, fact, setting->value);
	if (other)
		guard_warn(comparison, &guard_settings, side, NULL,
			   "%s was to be %s with %s, and its runs recorded %s: the setting did not "
			   "hold",
			   name, setting->value, comparison->sides[side].name, other);
}

static void check_idle(struct comparison *comparison, size_t side, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(idles); i++) {
		const char *value = guard_fact(comparison, idles[i].fact, side);
		if (!value || fnmatch(idles[i].sysctl, name, 0) != 0 ||
		    fnmatch(idles[i].value, value, 0) != 0)
			continue;
		guard_warn(comparison, &guard_settings, side, NULL, "%s does nothing here: %s",
			   name, idles[i].why);
		return;
	}
}

/* What one side sets and the other does not should differ. */
static void check_differs(struct comparison *comparison, size_t head, size_t setter,
			  const struct setting *setting, const char *name)
{
	const size_t other = setter ? 0 : head;
	AUTO(text) char *fact = mem_format("sysctl.%s", name);
	const char *value = guard_fact(comparison, fact, other);
	if (!find_setting(comparison->sides[other].job, name) && value &&
	    is_equal(value, setting->value) &&
	    !other_value(comparison, other, fact, setting->value))
		guard_warn(comparison, &guard_settings, head, NULL,
			   "%s is %s with %s too, which does not set it: there the sides do not "
			   "differ",
			   name, value, comparison->sides[other].name);
}

static void check_twins(struct comparison *comparison, size_t side)
{
	const struct job *job = comparison->sides[side].job;
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++)
		if (find_setting(job, twins[i][0]) && find_setting(job, twins[i][1]))
			guard_warn(
				comparison, &guard_settings, side, NULL,
				"%s sets both %s and %s: setting one takes the other back, so the "
				"last one holds",
				comparison->sides[side].name, twins[i][0], twins[i][1]);
}

static void examine_side(struct comparison *comparison, size_t side, size_t head)
{
	const struct job *job = comparison->sides[side].job;
	check_twins(comparison, side);
	for (size_t i = 0; i < job->n_settings; i++) {
		if (job->settings[i].kind != SETTING_SYSCTL)
			continue;
		AUTO(text) char *name = dotted(job->settings[i].key);
		check_held(comparison, side, &job->settings[i], name);
		check_idle(comparison, side, name);
		check_differs(comparison, head, side, &job->settings[i], name);
	}
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++) {
		examine_side(comparison, 0, head);
		examine_side(comparison, head, head);
	}
}

const struct guard guard_settings = {
	.name = "settings",
	.asks = "did the subject's settings hold, and can they do anything here?",
	.explains =
		"A subject that is a sysctl is only measured when the kernel took the value and kept "
		"it. Each run records the sysctls at its start, and the guard compares them with what "
		"the subjects ask for. It warns when a run recorded another value (the kernel allotted "
		"fewer huge pages, a service wrote its own); when the other side has the same value "
		"without setting it, so that nothing was changed; when a subject sets both of a pair of "
		"which one takes the other back (dirty_bytes and dirty_ratio, their background twins, "
		"overcommit_kbytes and overcommit_ratio); and when the machine leaves the setting "
		"nothing to do: swappiness without swap, NUMA balancing with one memory node, an "
		"overcommit limit without overcommit_memory=2. It withholds nothing: that such a "
		"subject is the same is true. To go on, set what was meant, and look at the value with "
		"'assay show RUN sysctl'.",
	.examine = examine,
};
