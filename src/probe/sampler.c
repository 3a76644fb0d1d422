/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sampling of monitors at the edges of the window and at absolute times inside it. See sampler.h. */
#include "probe/sampler.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct watched {
	const struct monitor *row;
	struct monitor_setup *setup;
	void *state;
	struct reading *readings; /* NULL when there is nothing to sample. */
	uint32_t n_readings;
	uint64_t samples; /* Written. */
	uint64_t cpu_ns;
};

struct sampler {
	struct wire *wire;  /* Borrowed. */
	const char *prefix; /* Borrowed from the workload's row. */
	bool has_threads;   /* The workers are threads of this process. */
	struct watched *watched;
	size_t n_watched;
	uint64_t interval_ns;
	uint64_t cpu_mark_ns; /* CPU time of the sampling thread at the last charge. */
	uint64_t last_at_ns;  /* Time of the last sample. */
	int broken;           /* First -errno of a write. */
	bool first_unwritten; /* The readings are those of _first. */
	bool has_thread;
	pthread_t thread;
	pthread_mutex_t lock; /* Guards the two flags. */
	pthread_cond_t changed;
	bool begun;
	bool stopped;
	struct rusage own_begin;
	struct rusage own_end;
};

static void said(struct sampler *sampler, int result)
{
	if (result < 0 && !sampler->broken)
		sampler->broken = result;
}

/* ---- opening ---- */

static void declare(struct sampler *sampler, struct watched *watched, uint32_t id)
{
	uint32_t n_rules;
	const struct channel *channels =
		monitor_setup_channels(watched->setup, &watched->n_readings);
	const struct metric_rule *rules = monitor_setup_rules(watched->setup, &n_rules);
	for (uint32_t i = 0; i < watched->n_readings; i++)
		said(sampler, wire_channel(sampler->wire, id, i, &channels[i]));
	for (uint32_t i = 0; i < n_rules; i++)
		said(sampler, wire_rule(sampler->wire, id, &rules[i]));
	if (watched->n_readings > 0)
		watched->readings = mem_array(watched->n_readings, sizeof(*watched->readings));
}

static void open_monitor(struct sampler *sampler, struct watched *watched, uint32_t id, int root_fd)
{
	const struct monitor *row = watched->row;
	struct error reason = { 0 };
	enum monitor_opened opened = MONITOR_OPEN;
	watched->setup = monitor_setup_new(root_fd, row->about.name, sampler->prefix);
	if (row->open)
		opened = row->open(watched->setup, &watched->state, &reason);
	if (opened == MONITOR_UNAVAILABLE) {
		watched->row = NULL;
		said(sampler, wire_monitor(sampler->wire, id, row->about.name, reason.text));
		return;
	}
	said(sampler, wire_monitor(sampler->wire, id, row->about.name, /* absent_reason= */ NULL));
	declare(sampler, watched, id);
}

struct sampler *sampler_new(const struct plan *plan, struct wire *wire)
{
	struct sampler *sampler = mem_zero(sizeof(*sampler));
	sampler->wire = wire;
	sampler->prefix = plugin_prefix(&work_row(plan->works[0])->about);
	sampler->has_threads = work_has_threads(plan->works[0]);
	sampler->interval_ns = plan->interval_ns;
	sampler->watched = mem_array(plan->n_monitors, sizeof(*sampler->watched));
	sampler->n_watched = plan->n_monitors;
	(void)pthread_mutex_init(&sampler->lock, /* attributes= */ NULL);
	pthread_condattr_t attributes;
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&sampler->changed, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	for (size_t i = 0; i < sampler->n_watched; i++) {
		sampler->watched[i].row = plan->monitors[i];
		open_monitor(sampler, &sampler->watched[i], (uint32_t)i, plan->root_fd);
	}
	return sampler;
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	sampler_stop(sampler);
	for (size_t i = 0; i < sampler->n_watched; i++) {
		struct watched *watched = &sampler->watched[i];
		if (watched->row && watched->row->close)
			watched->row->close(watched->state);
		monitor_setup_free(watched->setup);
		free(watched->readings);
	}
	(void)pthread_cond_destroy(&sampler->changed);
	(void)pthread_mutex_destroy(&sampler->lock);
	free(sampler->watched);
	free(sampler);
}

void sampler_follow(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->n_watched; i++) {
		const struct watched *watched = &sampler->watched[i];
		if (watched->row && watched->row->follow)
			watched->row->follow(watched->state, sampler->has_threads);
	}
}

/* ---- sampling ---- */

/* Charges the CPU time since the last mark to a monitor; NULL charges nobody. */
static void charge(struct sampler *sampler, struct watched *watched)
{
	const uint64_t now = clock_thread_cpu_ns();
	if (watched)
		watched->cpu_ns += now - sampler->cpu_mark_ns;
	sampler->cpu_mark_ns = now;
}

static void read_monitor(struct watched *watched)
{
	const struct reading unsampled = reading_missing(MISSING_UNSAMPLED);
	for (uint32_t i = 0; i < watched->n_readings; i++)
		watched->readings[i] = unsampled;
	watched->row->sample(watched->state, watched->readings);
}

static void write_readings(struct sampler *sampler, struct watched *watched, uint64_t at_ns)
{
	const uint32_t id = (uint32_t)(watched - sampler->watched);
	assert(at_ns >= sampler->last_at_ns);
	said(sampler,
	     wire_sample(sampler->wire, id, at_ns, watched->readings, watched->n_readings));
	watched->samples++;
	sampler->last_at_ns = at_ns;
}

static void write_first(struct sampler *sampler)
{
	if (!sampler->first_unwritten)
		return;
	sampler->first_unwritten = false;
	const uint64_t at_ns = sampler->last_at_ns;
	for (size_t i = 0; i < sampler->n_watched; i++) {
		if (!sampler->watched[i].readings)
			continue;
		write_readings(sampler, &sampler->watched[i], at_ns);
		charge(sampler, &sampler->watched[i]);
	}
}

void sampler_first(struct sampler *sampler)
{
	charge(sampler, /* watched= */ NULL);
	for (size_t i = 0; i < sampler->n_watched; i++) {
		if (!sampler->watched[i].readings)
			continue;
		read_monitor(&sampler->watched[i]);
		charge(sampler, &sampler->watched[i]);
	}
}

uint64_t sampler_last(struct sampler *sampler, uint64_t at_ns)
{
	const uint64_t time_ns = at_ns > sampler->last_at_ns ? at_ns : sampler->last_at_ns;
	charge(sampler, /* watched= */ NULL);
	write_first(sampler);
	/* First all readings, then all writing: the readings are as near to the edge as they can be. */
	for (size_t i = 0; i < sampler->n_watched; i++) {
		if (!sampler->watched[i].readings)
			continue;
		read_monitor(&sampler->watched[i]);
		charge(sampler, &sampler->watched[i]);
	}
	for (size_t i = 0; i < sampler->n_watched; i++) {
		if (!sampler->watched[i].readings)
			continue;
		write_readings(sampler, &sampler->watched[i], time_ns);
		charge(sampler, &sampler->watched[i]);
	}
	return time_ns;
}

static void sample_between(struct sampler *sampler)
{
	charge(sampler, /* watched= */ NULL);
	write_first(sampler);
	for (size_t i = 0; i < sampler->n_watched; i++) {
		struct watched *watched = &sampler->watched[i];
		if (!watched->readings || watched->row->edges_only)
			continue;
		const uint64_t at_ns = clock_monotonic_ns();
		read_monitor(watched);
		write_readings(sampler, watched, at_ns);
		charge(sampler, watched);
	}
}

/* ---- the thread ---- */

/* Waits until the time or until something changed. The lock is held. */
static void wait_until(struct sampler *sampler, uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_SEC),
					.tv_nsec = (long)(until_ns % NS_PER_SEC) };
	(void)pthread_cond_timedwait(&sampler->changed, &sampler->lock, &until);
}

/* The lock is held throughout but for the waits; nobody else wants it before _stop. */
static void tick(struct sampler *sampler)
{
	uint64_t next_ns = sampler->last_at_ns + sampler->interval_ns;
	while (!sampler->stopped) {
		const uint64_t now = clock_monotonic_ns();
		if (now < next_ns) {
			wait_until(sampler, next_ns);
			continue;
		}
		sample_between(sampler);
		/* Ticks that were missed are left out, the others keep their times. */
		const uint64_t behind = clock_monotonic_ns() - next_ns;
		next_ns += (behind / sampler->interval_ns + 1) * sampler->interval_ns;
	}
}

static void *sample_regularly(void *user)
{
	struct sampler *sampler = user;
	(void)pthread_mutex_lock(&sampler->lock);
	while (!sampler->begun && !sampler->stopped)
		(void)pthread_cond_wait(&sampler->changed, &sampler->lock);
	(void)getrusage(RUSAGE_THREAD, &sampler->own_begin);
	tick(sampler);
	(void)getrusage(RUSAGE_THREAD, &sampler->own_end);
	(void)pthread_mutex_unlock(&sampler->lock);
	return NULL;
}

static bool has_work_between(const struct sampler *sampler)
{
	if (sampler->interval_ns == 0)
		return false;
	for (size_t i = 0; i < sampler->n_watched; i++)
		if (sampler->watched[i].readings && !sampler->watched[i].row->edges_only)
			return true;
	return false;
}

int sampler_start(struct sampler *sampler, struct error *err)
{
	assert(!sampler->has_thread);
	if (!has_work_between(sampler))
		return 0;
	sigset_t all;
	sigset_t before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	const int code =
		pthread_create(&sampler->thread, /* attributes= */ NULL, sample_regularly, sampler);
	(void)pthread_sigmask(SIG_SETMASK, &before, /* old= */ NULL);
	if (code)
		return error_errno(err, code, "cannot create the sampling thread");
	sampler->has_thread = true;
	return 0;
}

void sampler_begin(struct sampler *sampler, uint64_t at_ns)
{
	(void)pthread_mutex_lock(&sampler->lock);
	sampler->first_unwritten = true;
	sampler->last_at_ns = at_ns;
	sampler->begun = true;
	(void)pthread_cond_signal(&sampler->changed);
	(void)pthread_mutex_unlock(&sampler->lock);
}

void sampler_stop(struct sampler *sampler)
{
	if (!sampler->has_thread)
		return;
	(void)pthread_mutex_lock(&sampler->lock);
	sampler->stopped = true;
	(void)pthread_cond_signal(&sampler->changed);
	(void)pthread_mutex_unlock(&sampler->lock);
	(void)pthread_join(sampler->thread, /* ret_value= */ NULL);
	sampler->has_thread = false;
}

void sampler_own(const struct sampler *sampler, struct rusage *ret_begin, struct rusage *ret_end)
{
	*ret_begin = sampler->own_begin;
	*ret_end = sampler->own_end;
}

/* ---- the end ---- */

void sampler_report(const struct sampler *sampler, const struct usage *usage, monitor_emit *emit,
		    void *sink)
{
	for (size_t i = 0; i < sampler->n_watched; i++) {
		const struct monitor *row = sampler->watched[i].row;
		if (row && row->report)
			row->report(usage, sampler->prefix, emit, sink);
	}
}

int sampler_finish(struct sampler *sampler)
{
	if (sampler->begun) {
		charge(sampler, /* watched= */ NULL);
		write_first(sampler);
	}
	for (size_t i = 0; i < sampler->n_watched; i++) {
		const struct watched *watched = &sampler->watched[i];
		if (watched->row)
			said(sampler, wire_cost(sampler->wire, (uint32_t)i, watched->samples,
						watched->cpu_ns));
	}
	return sampler->broken;
}
