/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Raw samples as CSV. See show_series.h. */
#include "cli/show_series.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

/* A field of RFC 4180: quoted when it must be. */
static void print_field(const char *text)
{
	bool quote = false;
	for (const char *at = text; *at && !quote; at++)
		quote = *at == ',' || *at == '"' || *at == '\n';
	if (!quote) {
		(void)fputs(text, stdout);
		return;
	}
	(void)putchar('"');
	for (const char *at = text; *at; at++) {
		if (*at == '"')
			(void)putchar('"');
		(void)putchar(*at);
	}
	(void)putchar('"');
}

static void print_reading(const struct channel *channel, const struct reading *reading)
{
	if (reading->state == VALUE_MISSING)
		(void)printf("missing (%s)\n", missing_text((enum missing)reading->why));
	else if (reading->state != VALUE_KNOWN)
		(void)puts("does not apply");
	else if (channel->kind == CHANNEL_COUNTER)
		(void)printf("%" PRIu64 "\n", reading->count);
	else
		(void)printf("%.17g\n", reading->level);
}

static void print_channel(const struct series *series, uint32_t index, uint64_t from_ns,
			  const char *pattern)
{
	const struct channel *channel = &series->channels[index];
	AUTO(text) char *name = mem_format("%s.%s", series->monitor, channel->name);
	if (!text_matches(name, pattern))
		return;
	for (uint32_t sample = 0; sample < series->n_samples; sample++) {
		const double at = ((double)series->times_ns[sample] - (double)from_ns) / 1e9;
		print_field(series->monitor);
		(void)putchar(',');
		print_field(channel->name);
		(void)printf(",%.6f,", at);
		print_reading(channel,
			      &series->readings[(size_t)sample * series->n_channels + index]);
	}
}

void show_series(const struct run *run, const char *pattern)
{
	(void)puts("monitor,channel,seconds,reading");
	for (size_t i = 0; i < run->n_series; i++)
		for (uint32_t channel = 0; channel < run->series[i].n_channels; channel++)
			print_channel(&run->series[i], channel, run->phase_ns[PHASE_MEASURE],
				      pattern);
}
