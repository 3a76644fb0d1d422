/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Record streams made for tests. See made.h. */
#include "made.h"

#include "base/checksum.h"
#include "base/mem.h"

#include <endian.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

struct made made_open(void)
{
	struct made made = { .fd = memfd_create("stream", MFD_CLOEXEC) };
	assert_true(made.fd >= 0);
	made.wire = wire_new(made.fd);
	return made;
}

void made_close(struct made *made)
{
	wire_free(made->wire);
	const off_t end = lseek(made->fd, 0, SEEK_END);
	assert_true(end >= 0);
	made->length = (size_t)end;
	made->bytes = mem_zero(made->length);
	CHECK_INT(pread(made->fd, made->bytes, made->length, 0), (long long)made->length);
	(void)close(made->fd);
}

void made_hello(struct made *made)
{
	const struct wire_hello hello = {
		.version = "0.1.0",
		.workload = "page_fault1",
		.prefix = "will-it-scale",
		.isolation = "subreaper",
		.semantics = 3,
		.started_wall_ns = 1700000000123456789ULL,
	};
	CHECK_INT(wire_hello(made->wire, &hello), 0);
}

void made_plain_rule(struct made *made, uint32_t monitor, const char *name, enum metric_kind kind,
		     const uint32_t *channel)
{
	const struct metric_rule rule = {
		.metric = { .name = name,
			    .unit = "1",
			    .what = "",
			    .kind = kind,
			    .better = BETTER_NONE,
			    .role = ROLE_EVIDENCE },
		.scale = 1,
		.parts = channel,
		.n_parts = 1,
	};
	CHECK_INT(wire_rule(made->wire, monitor, &rule), 0);
}

void made_preface(struct made *made)
{
	static const uint32_t indexes[] = { 0, 1 };
	const struct channel fault = { "pgfault", CHANNEL_COUNTER, 64 };
	const struct channel free_pages = { "nr_free_pages", CHANNEL_GAUGE, 0 };
	made_hello(made);
	CHECK_INT(wire_fact(made->wire, "cpu.model", VALUE_KNOWN, MISSING_NOT, "Zuse Z3"), 0);
	CHECK_INT(wire_fact(made->wire, "cpu.microcode", VALUE_MISSING, MISSING_DENIED, NULL), 0);
	CHECK_INT(wire_phase(made->wire, PHASE_PREPARE, 500000000), 0);
	CHECK_INT(wire_monitor(made->wire, 0, "proc-vmstat", NULL), 0);
	CHECK_INT(wire_channel(made->wire, 0, 0, &fault), 0);
	CHECK_INT(wire_channel(made->wire, 0, 1, &free_pages), 0);
	made_plain_rule(made, 0, "pgfault", METRIC_COUNTER, &indexes[0]);
	made_plain_rule(made, 0, "nr_free_pages", METRIC_GAUGE, &indexes[1]);
	made_plain_rule(made, 0, "nr_free_pages_max", METRIC_MAXIMUM, &indexes[1]);
	CHECK_INT(wire_monitor(made->wire, 1, "pressure", "no /proc/pressure"), 0);
}

void made_sample(struct made *made, uint64_t at_ns, uint64_t count, double level)
{
	const struct reading readings[] = { reading_count(count), reading_level(level) };
	CHECK_INT(wire_sample(made->wire, 0, at_ns, readings, ARRAY_SIZE(readings)), 0);
}

void made_score(struct made *made, const char *name, struct value value)
{
	const struct metric metric = {
		.name = name,
		.unit = "ops/s",
		.what = "operations per second and process",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
	};
	CHECK_INT(wire_score(made->wire, &metric, value), 0);
}

struct made made_whole(void)
{
	struct made made = made_open();
	made_preface(&made);
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, MADE_MEASURE_NS), 0);
	made_sample(&made, MADE_MEASURE_NS, 1000, 10);
	made_sample(&made, 2000000000, 1500, 40);
	made_sample(&made, MADE_STOP_NS, 1800, 5);
	CHECK_INT(wire_phase(made.wire, PHASE_STOP, MADE_STOP_NS), 0);
	CHECK_INT(wire_phase(made.wire, PHASE_TEARDOWN, 3100000000), 0);
	made_score(&made, "will-it-scale.per_process_ops", value_known(200.25));
	made_score(&made, "will-it-scale.per_thread_ops", value_not_applicable());
	made_score(&made, "will-it-scale.lost", value_missing(MISSING_FAILED));
	CHECK_INT(wire_worker(made.wire, 0, &(struct worker) { 200, 2000000000 }), 0);
	CHECK_INT(wire_worker(made.wire, 1, &(struct worker) { 600, 2000000000 }), 0);
	CHECK_INT(wire_cost(made.wire, 0, 3, 4000000), 0);
	CHECK_INT(wire_log(made.wire, "one line\n", 9), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	made_close(&made);
	return made;
}

void made_free(struct made *made)
{
	free(made->bytes);
}

struct run *made_read(const uint8_t *bytes, size_t length, size_t portion, size_t *ret_skipped)
{
	AUTO(stream) struct stream *stream = stream_new();
	struct error err = { 0 };
	for (size_t at = 0; at < length; at += portion) {
		const size_t rest = length - at;
		CHECK_INT(stream_feed(stream, bytes + at, rest < portion ? rest : portion, &err),
			  0);
	}
	struct run *run = stream_finish(stream);
	if (ret_skipped)
		*ret_skipped = stream_skipped_bytes(stream);
	return run;
}

uint8_t *made_frame(uint8_t type, uint8_t flags, const void *payload, uint32_t length,
		    size_t *ret_length)
{
	uint8_t *frame = mem_zero(FRAME_HEADER_BYTES + (size_t)length);
	memcpy(frame, FRAME_SYNC, FRAME_SYNC_BYTES);
	frame[4] = type;
	frame[5] = flags;
	const uint32_t little = htole32(length);
	memcpy(frame + 8, &little, sizeof(little));
	if (length)
		memcpy(frame + FRAME_HEADER_BYTES, payload, length);
	uint32_t check = checksum_crc32c(0, frame, 12);
	check = htole32(checksum_crc32c(check, frame + FRAME_HEADER_BYTES, length));
	memcpy(frame + 12, &check, sizeof(check));
	*ret_length = FRAME_HEADER_BYTES + (size_t)length;
	return frame;
}

size_t made_frame_length(const uint8_t *at)
{
	uint32_t little;
	memcpy(&little, at + 8, sizeof(little));
	return FRAME_HEADER_BYTES + (size_t)le32toh(little);
}

struct value made_value(const struct run *run, const char *name)
{
	const struct measured *measured = run_metric_find(run, name);
	if (!measured)
		fail_msg("the run has no metric '%s'", name);
	return measured->value;
}
