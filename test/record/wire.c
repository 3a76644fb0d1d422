/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writing half puts on the wire, byte for byte, and how it meets a bad descriptor. */
#include "record/wire.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "made.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The linker sends all of these here (meson.build): the measured window allocates nothing. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static unsigned allocations;

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	allocations++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	allocations++;
	return __real_realloc(block, size);
}

static void a_frame_has_the_bytes_of_the_format(void **state)
{
	/* Checked by hand against assay-record(5); the checksum was computed by another program. */
	static const uint8_t want[] = {
		0xfe, 0xa5, 0x9e, 0xc1, 6, 0, 0,    0,    12,   0,    0, 0, 0x7d, 0x78,
		0x87, 0x23, 2,    0,    0, 0, 0x00, 0xca, 0x9a, 0x3b, 0, 0, 0,    0,
	};
	struct made made = made_open();
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, 1000000000), 0);
	made_close(&made);
	CHECK_INT(made.length, sizeof(want));
	CHECK(memcmp(made.bytes, want, sizeof(want)) == 0);
	made_free(&made);
}

static void a_sample_costs_nine_bytes_a_known_reading_and_one_otherwise(void **state)
{
	struct made made = made_open();
	const struct reading readings[] = { reading_count(0x0102030405060708),
					    reading_missing(MISSING_OFFLINE),
					    { .state = VALUE_NOT_APPLICABLE },
					    reading_level(1.5) };
	static const uint8_t want[] = {
		3,    0,    0, 0, 0, 0, 0, 0, 9,    0,
		0,    0,    0, 0, 0, 0, 4, 0, 0,    0, /* Monitor to count. */
		0x00, 8,    7, 6, 5, 4, 3, 2, 1,    0x15,
		0x02, 0x00, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f,
	};
	CHECK_INT(wire_sample(made.wire, 3, 9, readings, ARRAY_SIZE(readings)), 0);
	made_close(&made);
	CHECK_INT(made.length, FRAME_HEADER_BYTES + sizeof(want));
	CHECK(memcmp(made.bytes + FRAME_HEADER_BYTES, want, sizeof(want)) == 0);
	made_free(&made);
}

static void a_failing_write_gives_its_errno(void **state)
{
	struct wire *wire = wire_new(-1);
	CHECK_INT(wire_phase(wire, PHASE_STOP, 1), -EBADF);
	CHECK_INT(wire_log(wire, "x", 1), -EBADF);
	wire_free(wire);
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	(void)close(ends[0]);
	(void)signal(SIGPIPE, SIG_IGN);
	wire = wire_new(ends[1]);
	CHECK_INT(wire_end(wire, RUN_COMPLETE, NULL), -EPIPE);
	wire_free(wire);
	(void)close(ends[1]);
	wire_free(NULL);
}

static void each_frame_is_one_write(void **state)
{
	/* A pipe in packet mode gives each write as one read. */
	int ends[2];
	assert_int_equal(pipe2(ends, O_DIRECT), 0);
	struct wire *wire = wire_new(ends[1]);
	const struct reading reading = reading_count(1);
	CHECK_INT(wire_fact(wire, "cpu.model", VALUE_KNOWN, MISSING_NOT, "Zuse Z3"), 0);
	CHECK_INT(wire_sample(wire, 0, 1, &reading, 1), 0);
	CHECK_INT(wire_end(wire, RUN_COMPLETE, NULL), 0);
	(void)close(ends[1]);
	for (int i = 0; i < 3; i++) {
		uint8_t frame[4096];
		const ssize_t got = read(ends[0], frame, sizeof(frame));
		CHECK_INT(got, made_frame_length(frame));
	}
	wire_free(wire);
	(void)close(ends[0]);
}

struct slow_reader {
	int fd;
	uint8_t *bytes;
	size_t length, capacity;
};

static void *read_slowly(void *argument)
{
	struct slow_reader *reader = argument;
	for (;;) {
		reader->bytes =
			mem_grow(reader->bytes, &reader->capacity, reader->length + 5000, 1);
		const ssize_t got = read(reader->fd, reader->bytes + reader->length, 5000);
		if (got <= 0)
			return NULL;
		reader->length += (size_t)got;
	}
}

static void a_frame_larger_than_the_pipe_arrives_whole(void **state)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	(void)fcntl(ends[1], F_SETPIPE_SZ, 4096);
	struct slow_reader reader = { .fd = ends[0] };
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reader), 0);
	struct wire *wire = wire_new(ends[1]);
	struct reading *readings = mem_array(CHANNELS_PER_MONITOR_MAX, sizeof(*readings));
	for (uint32_t i = 0; i < CHANNELS_PER_MONITOR_MAX; i++)
		readings[i] = reading_count(i * 3);
	CHECK_INT(wire_monitor(wire, 0, "interrupts", NULL), 0);
	CHECK_INT(wire_sample(wire, 0, 7, readings, CHANNELS_PER_MONITOR_MAX), 0);
	(void)close(ends[1]);
	(void)pthread_join(thread, NULL);
	size_t skipped = 1;
	AUTO(run) struct run *run = made_read(reader.bytes, reader.length, 4096, &skipped);
	CHECK_INT(skipped, 0);
	CHECK_INT(run->series[0].n_channels, CHANNELS_PER_MONITOR_MAX);
	CHECK_INT(run->series[0].n_samples, 1);
	/* None of the channels was declared: nobody knows what the readings are. */
	CHECK_INT(run->series[0].readings[5].why, MISSING_TORN);
	wire_free(wire);
	free(readings);
	free(reader.bytes);
	(void)close(ends[0]);
}

/* `count` times "ä", two bytes each. */
static char *umlauts(size_t count)
{
	char *text = mem_zero(2 * count + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(text + 2 * i, "\xc3\xa4", 2);
	return text;
}

static void long_texts_are_cut_between_characters(void **state)
{
	AUTO(text) char *name = umlauts(200);
	AUTO(text) char *text = umlauts(70000);
	AUTO(text) char *reason = umlauts(5000);
	struct made made = made_open();
	CHECK_INT(wire_fact(made.wire, name, VALUE_KNOWN, MISSING_NOT, text), 0);
	made_score(&made, name, value_known(1));
	CHECK_INT(wire_end(made.wire, RUN_FAILED, reason), 0);
	made_close(&made);
	size_t skipped = 1;
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, &skipped);
	CHECK_INT(skipped, 0);
	CHECK_INT(strlen(run->facts[0].name), 190); /* Of 191: the half character is not sent. */
	CHECK_INT(strlen(run->facts[0].text), 65534);
	CHECK_INT(strlen(run->metrics[0].metric.name), 190);
	CHECK_INT(strlen(run->reason), 1022);
	CHECK(strncmp(run->facts[0].text, text, 65534) == 0);
	made_free(&made);
}

static void a_long_log_comes_in_several_frames_and_is_one_text(void **state)
{
	const size_t length = 200001;
	AUTO(text) char *said = mem_zero(length + 1);
	for (size_t i = 0; i < length; i++)
		said[i] = (char)('a' + i % 26);
	struct made made = made_open();
	CHECK_INT(wire_log(made.wire, said, length), 0);
	CHECK_INT(wire_log(made.wire, "", 0), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	made_close(&made);
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_TEXT(run->log, said);
	made_free(&made);
}

static void nothing_is_allocated_behind_wire_new(void **state)
{
	const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct wire *wire = wire_new(fd);
	const struct reading readings[] = { reading_count(1), reading_missing(MISSING_ABSENT) };
	const struct channel channel = { "c", CHANNEL_COUNTER, 64 };
	int failed = 0;
	CHECK(allocations > 0); /* wire_new's own: the counting works. */
	const unsigned before = allocations;
	failed |= wire_monitor(wire, 0, "m", NULL);
	failed |= wire_channel(wire, 0, 0, &channel);
	failed |= wire_fact(wire, "f", VALUE_KNOWN, MISSING_NOT, "text");
	failed |= wire_phase(wire, PHASE_MEASURE, 1);
	for (uint64_t i = 0; i < 1000; i++)
		failed |= wire_sample(wire, 0, i, readings, ARRAY_SIZE(readings));
	failed |= wire_cost(wire, 0, 1000, 1);
	failed |= wire_log(wire, "line\n", 5);
	failed |= wire_end(wire, RUN_COMPLETE, NULL);
	CHECK_INT(allocations, before);
	CHECK_INT(failed, 0);
	wire_free(wire);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_has_the_bytes_of_the_format),
		cmocka_unit_test(a_sample_costs_nine_bytes_a_known_reading_and_one_otherwise),
		cmocka_unit_test(a_failing_write_gives_its_errno),
		cmocka_unit_test(each_frame_is_one_write),
		cmocka_unit_test(a_frame_larger_than_the_pipe_arrives_whole),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(a_long_log_comes_in_several_frames_and_is_one_text),
		cmocka_unit_test(nothing_is_allocated_behind_wire_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
