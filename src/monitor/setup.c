/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a monitor declares while it opens: its channels and the rules that make metrics of them. All
 * strings and index lists are copied, so a plug-in may build them in buffers on its stack.
 */
#include "base/mem.h"
#include "base/text.h"
#include "monitor/monitor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct monitor_setup {
	int root_fd;
	char *monitor;  /* Name of the monitor that is opening. */
	char *workload; /* Metric prefix of the workload. */
	struct channel *channels;
	size_t n_channels;
	size_t channel_capacity;
	struct metric_rule *rules;
	size_t n_rules;
	size_t rule_capacity;
};

struct monitor_setup *monitor_setup_new(int root_fd, const char *monitor_name,
					const char *workload_prefix)
{
	assert(monitor_name && *monitor_name);
	struct monitor_setup *setup = mem_zero(sizeof(*setup));
	setup->root_fd = root_fd;
	setup->monitor = mem_text(monitor_name);
	setup->workload = mem_text(workload_prefix ? workload_prefix : "");
	return setup;
}

/* The strings and lists of channels and rules are const to readers; this room made them. */
static void release(const void *owned)
{
	free((void *)(uintptr_t)owned);
}

void monitor_setup_free(struct monitor_setup *setup)
{
	if (!setup)
		return;
	for (size_t i = 0; i < setup->n_channels; i++)
		release(setup->channels[i].name);
	for (size_t i = 0; i < setup->n_rules; i++) {
		const struct metric_rule *rule = &setup->rules[i];
		release(rule->metric.name);
		release(rule->metric.unit);
		release(rule->metric.what);
		release(rule->parts);
		release(rule->whole);
	}
	free(setup->channels);
	free(setup->rules);
	free(setup->monitor);
	free(setup->workload);
	free(setup);
}

int monitor_root(const struct monitor_setup *setup)
{
	return setup->root_fd;
}

const char *monitor_workload(const struct monitor_setup *setup)
{
	return setup->workload;
}

const struct channel *monitor_setup_channels(const struct monitor_setup *setup, uint32_t *ret_n)
{
	*ret_n = (uint32_t)setup->n_channels;
	return setup->channels;
}

const struct metric_rule *monitor_setup_rules(const struct monitor_setup *setup, uint32_t *ret_n)
{
	*ret_n = (uint32_t)setup->n_rules;
	return setup->rules;
}

uint32_t monitor_channel(struct monitor_setup *setup, const char *name, enum channel_kind kind,
			 unsigned width_bits)
{
	assert(name && *name);
	assert(kind == CHANNEL_GAUGE ? width_bits == 0 : width_bits == 32 || width_bits == 64);
	assert(setup->n_channels < CHANNELS_PER_MONITOR_MAX);
	setup->channels = mem_grow(setup->channels, &setup->channel_capacity, setup->n_channels + 1,
				   sizeof(*setup->channels));
	setup->channels[setup->n_channels] = (struct channel) {
		.name = mem_text(name),
		.kind = kind,
		.width_bits = (uint8_t)width_bits,
	};
	return (uint32_t)setup->n_channels++;
}

/* The name as it is when it is full already, else with the monitor's name in front. */
static char *full_name(const struct monitor_setup *setup, const char *name)
{
	const size_t length = strlen(setup->monitor);
	if (strncmp(name, setup->monitor, length) == 0 && name[length] == '.')
		return mem_text(name);
	return mem_format("%s.%s", setup->monitor, name);
}

static uint32_t *copy_parts(const struct monitor_setup *setup, const uint32_t *parts, uint32_t n)
{
	if (n == 0)
		return NULL;
	uint32_t *copy = mem_array(n, sizeof(*copy));
	for (uint32_t i = 0; i < n; i++) {
		assert(parts[i] < setup->n_channels);
		assert(i == 0 || parts[i] > parts[i - 1]);
		copy[i] = parts[i];
	}
	return copy;
}

static bool is_rule_sound(const struct metric_rule *rule)
{
	const struct metric *metric = &rule->metric;
	if (!metric->name || !*metric->name || rule->n_parts == 0)
		return false;
	if (metric->kind >= METRIC_KIND_COUNT || metric->kind == METRIC_SCORE)
		return false;
	return metric->kind == METRIC_SHARE ? rule->n_whole > 0 : rule->scale > 0;
}

void monitor_rule(struct monitor_setup *setup, const struct metric_rule *rule)
{
	assert(is_rule_sound(rule));
	const struct metric *metric = &rule->metric;
	setup->rules = mem_grow(setup->rules, &setup->rule_capacity, setup->n_rules + 1,
				sizeof(*setup->rules));
	struct metric_rule *copy = &setup->rules[setup->n_rules++];
	*copy = *rule;
	copy->metric.name = full_name(setup, metric->name);
	copy->metric.unit = mem_text(metric->unit ? metric->unit : "1");
	copy->metric.what = mem_text(metric->what ? metric->what : "");
	copy->parts = copy_parts(setup, rule->parts, rule->n_parts);
	copy->whole = copy_parts(setup, rule->whole, rule->n_whole);
	assert(strlen(copy->metric.name) < METRIC_NAME_BYTES);
}

uint32_t monitor_plain(struct monitor_setup *setup, const char *name, const char *unit,
		       enum metric_kind kind, unsigned width_bits)
{
	assert(kind == METRIC_COUNTER || kind == METRIC_GAUGE);
	const uint32_t channel = monitor_channel(
		setup, name, kind == METRIC_COUNTER ? CHANNEL_COUNTER : CHANNEL_GAUGE, width_bits);
	monitor_rule(setup, &(const struct metric_rule) {
				    .metric = { .name = name,
						.unit = unit,
						.what = "",
						.kind = kind,
						.better = BETTER_NONE,
						.role = ROLE_EVIDENCE },
				    .scale = 1,
				    .parts = &channel,
				    .n_parts = 1,
			    });
	return channel;
}
