/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the monitors cost on this machine: CPU time of a sample of each, beside the floor, which is
 * bare preads of the same files by the same thread in the same run. The files are found by looking
 * at the descriptors that a monitor's open leaves behind, so there is no second list of them.
 *
 * Prints a table and two sums: the one in which a file that two monitors read is paid twice by the
 * floor too, and the harder one in which the floor reads each file once. A benchmark, not a test:
 * it judges nothing.
 */
#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "monitor/monitor.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES 1000U
#define SAMPLES_A_BLOCK 50U /* Monitor and floor take turns in blocks of this length. */
#define FILES_MAX 1100U
#define FDS_MAX 4096U
#define PATH_BYTES 256U

struct file {
	char path[PATH_BYTES];
	int fd;
	char *buffer;
	size_t size;
	uint64_t floor_ns;
	bool is_repeated; /* Another monitor's file list has it already. */
};

struct watched {
	const struct monitor *monitor;
	struct monitor_setup *setup;
	void *state;
	struct reading *readings;
	uint32_t n_channels;
	struct file *files;
	size_t n_files;
	uint64_t sample_ns;
};

/* Which descriptors are open. */
static void mark_descriptors(bool *is_open)
{
	for (int fd = 0; fd < (int)FDS_MAX; fd++)
		is_open[fd] = fcntl(fd, F_GETFD) >= 0;
}

static void add_file(struct watched *watched, int fd)
{
	char link[64];
	struct file file = { 0 };
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, file.path, sizeof(file.path) - 1) <= 0 || watched->n_files == FILES_MAX)
		return;
	file.fd = open(file.path, O_RDONLY | O_CLOEXEC);
	if (file.fd < 0)
		return;
	file.size = 1U << 20;
	file.buffer = mem_zero(file.size);
	const ssize_t got = fs_pread_all(file.fd, file.buffer, file.size);
	/* As large as the monitors make theirs. */
	file.size = 2 * (size_t)(got > 0 ? got : 0) + 4096;
	watched->files[watched->n_files++] = file;
}

static bool watch(struct watched *watched, const struct monitor *monitor, int root_fd)
{
	bool was_open[FDS_MAX];
	bool is_open[FDS_MAX];
	struct error reason = { 0 };
	mark_descriptors(was_open);
	watched->monitor = monitor;
	watched->setup = monitor_setup_new(root_fd, monitor->about.name, "bench");
	if (monitor->open(watched->setup, &watched->state, &reason) != MONITOR_OPEN) {
		printf("%-14s unavailable: %s\n", monitor->about.name, reason.text);
		monitor_setup_free(watched->setup);
		return false;
	}
	(void)monitor_setup_channels(watched->setup, &watched->n_channels);
	watched->readings = mem_array(watched->n_channels, sizeof(*watched->readings));
	watched->files = mem_array(FILES_MAX, sizeof(*watched->files));
	mark_descriptors(is_open);
	for (int fd = 0; fd < (int)FDS_MAX; fd++) {
		if (is_open[fd] && !was_open[fd])
			add_file(watched, fd);
	}
	return true;
}

static void unwatch(struct watched *watched)
{
	watched->monitor->close(watched->state);
	monitor_setup_free(watched->setup);
	for (size_t i = 0; i < watched->n_files; i++) {
		(void)close(watched->files[i].fd); /* Only read from: nothing can be lost. */
		free(watched->files[i].buffer);
	}
	free(watched->files);
	free(watched->readings);
}

static void measure_block(struct watched *watched)
{
	uint64_t from_ns = clock_thread_cpu_ns();
	for (unsigned i = 0; i < SAMPLES_A_BLOCK; i++)
		watched->monitor->sample(watched->state, watched->readings);
	watched->sample_ns += clock_thread_cpu_ns() - from_ns;
	for (size_t file = 0; file < watched->n_files; file++) {
		struct file *at = &watched->files[file];
		from_ns = clock_thread_cpu_ns();
		for (unsigned i = 0; i < SAMPLES_A_BLOCK; i++)
			(void)fs_pread_all(at->fd, at->buffer, at->size); /* Only its cost. */
		at->floor_ns += clock_thread_cpu_ns() - from_ns;
	}
}

static void mark_repeated(struct watched *watched, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t file = 0; file < watched[i].n_files; file++) {
			struct file *at = &watched[i].files[file];
			for (size_t j = 0; j < i; j++) {
				for (size_t k = 0; k < watched[j].n_files; k++)
					at->is_repeated |=
						!strcmp(at->path, watched[j].files[k].path);
			}
		}
	}
}

static void print_sum(const char *what, double sample_ns, double floor_ns)
{
	printf("%-38s %10.0f %10.0f %6.2f %9.4f %%\n", what, sample_ns, floor_ns,
	       floor_ns > 0 ? sample_ns / floor_ns : 0, sample_ns / 1e9 * 100);
}

static void print_table(const struct watched *watched, size_t n)
{
	double samples_ns = 0;
	double floor_ns = 0;
	double distinct_ns = 0;
	printf("%-14s %8s %5s %8s %10s %10s %6s %11s\n", "monitor", "channels", "files", "",
	       "ns/sample", "floor ns", "ratio", "CPU at 1 Hz");
	for (size_t i = 0; i < n; i++) {
		double files_ns = 0;
		for (size_t file = 0; file < watched[i].n_files; file++) {
			const double file_ns = (double)watched[i].files[file].floor_ns / SAMPLES;
			files_ns += file_ns;
			distinct_ns += watched[i].files[file].is_repeated ? 0 : file_ns;
		}
		const double sample_ns = (double)watched[i].sample_ns / SAMPLES;
		char what[64];
		(void)snprintf(what, sizeof(what), "%-14s %8u %5zu", watched[i].monitor->about.name,
			       watched[i].n_channels, watched[i].n_files);
		print_sum(what, sample_ns, files_ns);
		samples_ns += sample_ns;
		floor_ns += files_ns;
	}
	print_sum("all, each read by its own pread", samples_ns, floor_ns);
	print_sum("all, the floor reads each file once", samples_ns, distinct_ns);
}

int main(void)
{
	struct error err = { 0 };
	AUTO(fd) int root_fd = fs_root_open("/", &err);
	if (root_fd < 0) {
		(void)fprintf(stderr, "monitor_cost: %s\n", err.text);
		return 128;
	}
	struct watched *watched = mem_array(monitor_table_count, sizeof(*watched));
	size_t n = 0;
	for (size_t i = 0; i < monitor_table_count; i++) {
		if (monitor_table[i]->open && watch(&watched[n], monitor_table[i], root_fd))
			n++;
	}
	mark_repeated(watched, n);
	for (unsigned block = 0; block < SAMPLES / SAMPLES_A_BLOCK; block++) {
		for (size_t i = 0; i < n; i++)
			measure_block(&watched[i]);
	}
	print_table(watched, n);
	for (size_t i = 0; i < n; i++)
		unwatch(&watched[i]);
	free(watched);
	return 0;
}
