/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses CPUs from the calling thread's mask and sysfs topology. See pin.h. */
#include "probe/pin.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct pin {
	cpu_set_t *before; /* The mask at pin_new. */
	cpu_set_t *one;    /* Room for the mask of one worker, so that pin_set allocates nothing. */
	unsigned cpus[PIN_CPUS_MAX];
	size_t n_cpus;
};

static const size_t mask_bytes = PIN_CPUS_MAX / 8;

/* Where a CPU stands: the lowest numbers in its socket, last-level cache and core. */
struct seat {
	unsigned socket;
	unsigned cache;
	unsigned core;
	unsigned cpu;
};

static void take_lowest(unsigned number, void *user)
{
	unsigned *lowest = user;
	if (number < *lowest)
		*lowest = number;
}

/* Lowest CPU of the list in cpuN/<file>; `otherwise` when there is no such list. */
static unsigned lowest_in(int root_fd, unsigned cpu, const char *file, unsigned otherwise)
{
	char path[128];
	char list[4096];
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/%s", cpu, file);
	if (fs_read_line_at(root_fd, path, list, sizeof(list)) <= 0)
		return otherwise;
	unsigned lowest = UINT32_MAX;
	if (fs_list_each(list, take_lowest, &lowest) <= 0)
		return otherwise;
	return lowest;
}

static struct seat seat_of(int root_fd, unsigned cpu)
{
	struct seat seat = { .cpu = cpu };
	seat.socket = lowest_in(root_fd, cpu, "topology/core_siblings_list", /* otherwise= */ 0);
	seat.cache = lowest_in(root_fd, cpu, "cache/index3/shared_cpu_list", seat.socket);
	seat.core = lowest_in(root_fd, cpu, "topology/thread_siblings_list", cpu);
	return seat;
}

static int compare_seats(const void *one, const void *other)
{
	const struct seat *a = one;
	const struct seat *b = other;
	if (a->socket != b->socket)
		return a->socket < b->socket ? -1 : 1;
	if (a->cache != b->cache)
		return a->cache < b->cache ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->cpu < b->cpu ? -1 : 1;
}

size_t pin_keep_cores(int root_fd, unsigned *cpus, size_t n_cpus)
{
	AUTO(text) char *block = mem_array(n_cpus, sizeof(struct seat));
	struct seat *seats = (void *)block;
	for (size_t i = 0; i < n_cpus; i++)
		seats[i] = seat_of(root_fd, cpus[i]);
	qsort(seats, n_cpus, sizeof(*seats), compare_seats);
	size_t kept = 0;
	for (size_t i = 0; i < n_cpus; i++)
		if (i == 0 || seats[i].core != seats[i - 1].core)
			cpus[kept++] = seats[i].cpu;
	return kept;
}

static int read_mask(struct pin *pin, struct error *err)
{
	if (sched_getaffinity(0, mask_bytes, pin->before) < 0)
		return error_errno(err, errno, "cannot read the CPU mask");
	for (unsigned cpu = 0; cpu < PIN_CPUS_MAX; cpu++)
		if (CPU_ISSET_S(cpu, mask_bytes, pin->before))
			pin->cpus[pin->n_cpus++] = cpu;
	assert(pin->n_cpus > 0);
	return 0;
}

int pin_new(const char *word, struct pin **ret_pin, struct error *err)
{
	*ret_pin = NULL;
	if (text_equal(word, "none"))
		return 0;
	AUTO(pin) struct pin *pin = mem_zero(sizeof(*pin));
	pin->before = mem_zero(mask_bytes);
	pin->one = mem_zero(mask_bytes);
	const int failed = read_mask(pin, err);
	if (failed)
		return failed;
	if (text_equal(word, "core")) {
		AUTO(fd) int root_fd = fs_root_open("/", err);
		if (root_fd < 0)
			return root_fd;
		pin->n_cpus = pin_keep_cores(root_fd, pin->cpus, pin->n_cpus);
	}
	*ret_pin = KEEP(pin);
	return 0;
}

void pin_free(struct pin *pin)
{
	if (!pin)
		return;
	free(pin->before);
	free(pin->one);
	free(pin);
}

int pin_set(const struct pin *pin, unsigned index, struct error *err)
{
	if (!pin)
		return 0;
	const unsigned cpu = pin->cpus[index % pin->n_cpus];
	CPU_ZERO_S(mask_bytes, pin->one);
	CPU_SET_S(cpu, mask_bytes, pin->one);
	if (sched_setaffinity(0, mask_bytes, pin->one) < 0)
		return error_errno(err, errno, "cannot bind worker %u to CPU %u", index, cpu);
	return 0;
}

void pin_restore(const struct pin *pin)
{
	/* The same mask was in force before; a CPU that went offline since then is not our matter. */
	if (pin)
		(void)sched_setaffinity(0, mask_bytes, pin->before);
}
