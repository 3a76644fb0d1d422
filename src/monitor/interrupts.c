/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupts: /proc/interrupts. A metric for each line, summed over the CPUs; the series keeps
 * each CPU. Names are made as lkp-tests makes them: a numbered interrupt joins its words with '.'
 * (24:IO-APIC.5-edge.ACPI:Ged), a named one with '_' (LOC:Local_timer_interrupts). The kernel
 * counts in 32 bits.
 */
#include "base/mem.h"
#include "monitor/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the words with one `joint` for each run of blanks; what does not fit is cut. */
static void join_words(const char *words, char joint, char *name, size_t size)
{
	size_t length = 0;
	bool is_between = false;
	for (; *words && length + 2 < size; words++) {
		if (*words == ' ') {
			is_between = length > 0;
			continue;
		}
		if (is_between)
			name[length++] = joint;
		is_between = false;
		name[length++] = *words;
	}
	name[length] = '\0';
}

static void name_line(const char *label, const char *words, char *name, size_t size)
{
	const bool is_numbered = strspn(label, "0123456789") == strlen(label);
	char joined[COLUMNS_NAME_BYTES_MAX - COLUMNS_LABEL_BYTES_MAX];
	join_words(words, is_numbered ? '.' : '_', joined, sizeof(joined));
	(void)snprintf(name, size, "%s%s%s", label, *joined ? ":" : "", joined);
}

static enum monitor_opened interrupts_open(struct monitor_setup *setup, void **ret_state,
					   struct error *reason)
{
	struct columns *columns = mem_zero(sizeof(*columns));
	const enum monitor_opened opened =
		columns_open(columns, setup, "proc/interrupts", name_line, reason);
	if (opened == MONITOR_OPEN)
		*ret_state = columns;
	else
		free(columns);
	return opened;
}

static void interrupts_sample(void *state, struct reading *readings)
{
	columns_sample(state, readings);
}

static void interrupts_close(void *state)
{
	if (state)
		columns_done(state);
	free(state);
}

static const struct metric metrics[] = {
	{ "interrupts.LOC:Local_timer_interrupts", "1", "timer interrupts of the CPUs (x86)",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "interrupts.RES:Rescheduling_interrupts", "1", "wake-ups sent to another CPU (x86)",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "interrupts.CAL:Function_call_interrupts", "1", "functions run on another CPU (x86)",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "interrupts.TLB:TLB_shootdowns", "1", "translations thrown away on another CPU (x86)",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_interrupts = {
	.about = {
		.name = "interrupts",
		.what = "every line of /proc/interrupts, summed over the CPUs; each CPU in the series",
		.stands = "which devices and which CPUs interrupted the run?",
		.metrics = metrics,
		.cost_ns = 75000,
		.metrics_open = true,
	},
	.open = interrupts_open,
	.sample = interrupts_sample,
	.close = interrupts_close,
	.edges_only = true,
};
