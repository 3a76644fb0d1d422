/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams whole, torn, damaged, foreign, hostile. */
#include "record/stream.h"

#include "base/macros.h"
#include "base/mem.h"
#include "made.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void what_was_written_is_read_back(void **state)
{
	struct made made = made_whole();
	size_t skipped = 1;
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, &skipped);
	CHECK_INT(skipped, 0);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_TEXT(run->reason, "");
	CHECK_TEXT(run->workload, "page_fault1");
	CHECK_TEXT(run->probe_version, "0.1.0");
	CHECK_TEXT(run->isolation, "subreaper");
	CHECK_INT(run->semantics, 3);
	CHECK_INT(run->started_wall_ns, 1700000000123456789LL);
	CHECK_INT(run->phase_ns[PHASE_PREPARE], 500000000);
	CHECK_INT(run->phase_ns[PHASE_WARMUP], 0);
	CHECK_INT(run->phase_ns[PHASE_TEARDOWN], 3100000000LL);
	CHECK_TEXT(run->log, "one line\n");
	CHECK_INT(run->n_facts, 2);
	CHECK_TEXT(run_fact_find(run, "cpu.model")->text, "Zuse Z3");
	CHECK_INT(run_fact_find(run, "cpu.microcode")->why, MISSING_DENIED);
	CHECK(run_fact_find(run, "cpu.microcode")->text == NULL);
	CHECK_INT(run->n_workers, 2);
	CHECK_INT(run->workers[1].operations, 600);
	CHECK_INT(run->n_series, 1);
	CHECK_TEXT(run->series[0].monitor, "proc-vmstat");
	CHECK_TEXT(run->series[0].channels[1].name, "nr_free_pages");
	CHECK_INT(run->series[0].n_samples, 3);
	CHECK_INT(run->series[0].readings[2].count, 1500);
	CHECK_INT(run->n_costs, 2);
	CHECK_TEXT(run->costs[1].absent_reason, "no /proc/pressure");
	made_free(&made);
}

static void metrics_keep_all_that_they_say_of_themselves(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	const struct metric *metric =
		&run_metric_find(run, "will-it-scale.per_process_ops")->metric;
	CHECK_TEXT(metric->unit, "ops/s");
	CHECK_TEXT(metric->what, "operations per second and process");
	CHECK_INT(metric->kind, METRIC_SCORE);
	CHECK_INT(metric->better, BETTER_HIGHER);
	CHECK_INT(metric->role, ROLE_SCORE);
	CHECK_INT(run_metric_find(run, "proc-vmstat.nr_free_pages")->metric.kind, METRIC_GAUGE);
	CHECK_INT(run_metric_find(run, "proc-vmstat.pgfault")->metric.role, ROLE_EVIDENCE);
	made_free(&made);
}

static void the_three_states_of_a_score_arrive_apart(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_KNOWN(run, "will-it-scale.per_process_ops", 200.25);
	CHECK_INT(made_value(run, "will-it-scale.per_thread_ops").state, VALUE_NOT_APPLICABLE);
	CHECK_MISSING(run, "will-it-scale.lost", MISSING_FAILED);
	made_free(&made);
}

/* Everything known in `part` must be so in `whole`; nothing may have changed. */
static void check_nothing_wrong(const struct run *part, const struct run *whole)
{
	for (size_t i = 0; i < part->n_metrics; i++) {
		const struct measured *have = &part->metrics[i];
		const struct measured *want = run_metric_find(whole, have->metric.name);
		if (!want || !value_is_known(have->value))
			continue;
		if (!value_is_known(want->value) || have->value.number != want->value.number)
			fail_msg("%s became %.17g", have->metric.name, have->value.number);
	}
	for (size_t i = 0; i < part->n_facts; i++)
		CHECK(run_fact_find(whole, part->facts[i].name) != NULL);
	for (size_t i = 0; i < part->n_workers; i++)
		if (part->workers[i].elapsed_ns)
			CHECK_INT(part->workers[i].operations, whole->workers[i].operations);
}

static void the_size_of_the_portions_does_not_matter(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *whole = made_read(made.bytes, made.length, made.length, NULL);
	for (size_t portion = 1; portion < 40; portion++) {
		size_t skipped = 1;
		AUTO(run) struct run *run = made_read(made.bytes, made.length, portion, &skipped);
		CHECK_INT(skipped, 0);
		CHECK_INT(run->outcome, RUN_COMPLETE);
		CHECK_INT(run->n_metrics, whole->n_metrics);
		check_nothing_wrong(run, whole);
		check_nothing_wrong(whole, run);
	}
	made_free(&made);
}

static void a_stream_torn_at_any_byte_gives_what_came_before_the_tear(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *whole = made_read(made.bytes, made.length, made.length, NULL);
	size_t frame_end = 0;
	for (size_t length = 0; length < made.length; length++) {
		while (frame_end + made_frame_length(made.bytes + frame_end) <= length)
			frame_end += made_frame_length(made.bytes + frame_end);
		/* A block of its own, so that reading behind the tear is seen. */
		uint8_t *torn = mem_zero(length);
		memcpy(torn, made.bytes, length);
		size_t skipped = 0;
		AUTO(run) struct run *run = made_read(torn, length, 64, &skipped);
		CHECK_INT(run->outcome, RUN_TORN);
		CHECK_HOLDS(run->reason, "without a last word");
		CHECK_INT(skipped, length - frame_end);
		check_nothing_wrong(run, whole);
		free(torn);
	}
	made_free(&made);
}

static void a_torn_stream_keeps_its_samples_and_says_why_its_metrics_are_missing(void **state)
{
	struct made made = made_open();
	made_preface(&made);
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, MADE_MEASURE_NS), 0);
	made_sample(&made, MADE_MEASURE_NS, 1000, 10);
	made_sample(&made, 2000000000, 1500, 40);
	made_close(&made);
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_INT(run->outcome, RUN_TORN);
	CHECK_HOLDS(run->reason, "phase measure");
	CHECK_INT(run->series[0].n_samples, 2);
	CHECK_MISSING(run, "proc-vmstat.pgfault", MISSING_TORN);
	CHECK_MISSING(run, "proc-vmstat.nr_free_pages", MISSING_TORN);
	CHECK_MISSING(run, "assay.cost.total_cpu_percent", MISSING_TORN);
	made_free(&made);
}

static void a_damaged_byte_never_gives_a_wrong_number(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *whole = made_read(made.bytes, made.length, made.length, NULL);
	uint8_t *damaged = mem_zero(made.length);
	for (size_t i = 0; i < made.length; i++) {
		const uint8_t masks[] = { (uint8_t)(1U << i % 8), 0xff };
		for (size_t j = 0; j < ARRAY_SIZE(masks); j++) {
			memcpy(damaged, made.bytes, made.length);
			damaged[i] ^= masks[j];
			size_t skipped = 0;
			AUTO(run)
			struct run *run = made_read(damaged, made.length, made.length, &skipped);
			CHECK(skipped > 0);
			check_nothing_wrong(run, whole);
		}
	}
	free(damaged);
	made_free(&made);
}

static void only_the_damaged_frame_is_passed_over(void **state)
{
	struct made made = made_whole();
	const size_t hello = made_frame_length(made.bytes);
	made.bytes[hello + 20] ^= 0x40; /* In the first fact. */
	size_t skipped = 0;
	AUTO(run) struct run *run = made_read(made.bytes, made.length, 7, &skipped);
	CHECK_INT(skipped, made_frame_length(made.bytes + hello));
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_INT(run->n_facts, 1);
	CHECK_KNOWN(run, "proc-vmstat.pgfault", 800);
	made_free(&made);
}

static void a_lost_frame_never_gives_a_wrong_number(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *whole = made_read(made.bytes, made.length, made.length, NULL);
	uint8_t *rest = mem_zero(made.length);
	size_t frames = 0;
	for (size_t at = 0; at < made.length; frames++) {
		const size_t frame = made_frame_length(made.bytes + at);
		memcpy(rest, made.bytes, at);
		memcpy(rest + at, made.bytes + at + frame, made.length - at - frame);
		AUTO(run) struct run *run = made_read(rest, made.length - frame, made.length, NULL);
		check_nothing_wrong(run, whole);
		at += frame;
	}
	CHECK_INT(frames, 25);
	free(rest);
	made_free(&made);
}

static void a_frame_that_comes_twice_changes_nothing(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *whole = made_read(made.bytes, made.length, made.length, NULL);
	uint8_t *more = mem_zero(2 * made.length);
	for (size_t at = 0; at < made.length;) {
		const size_t frame = made_frame_length(made.bytes + at);
		memcpy(more, made.bytes, at + frame);
		memcpy(more + at + frame, made.bytes + at, made.length - at);
		AUTO(run) struct run *run = made_read(more, made.length + frame, made.length, NULL);
		CHECK_INT(run->outcome, RUN_COMPLETE);
		CHECK_INT(run->n_metrics, whole->n_metrics);
		check_nothing_wrong(run, whole);
		check_nothing_wrong(whole, run);
		at += frame;
	}
	free(more);
	made_free(&made);
}

/* Puts `length` bytes behind the first frame of the stream. */
static uint8_t *insert(const struct made *made, const void *bytes, size_t length)
{
	const size_t hello = made_frame_length(made->bytes);
	uint8_t *all = mem_zero(made->length + length);
	memcpy(all, made->bytes, hello);
	memcpy(all + hello, bytes, length);
	memcpy(all + hello + length, made->bytes + hello, made->length - hello);
	return all;
}

static void check_insert(const void *bytes, size_t length, size_t want_skipped)
{
	struct made made = made_whole();
	uint8_t *all = insert(&made, bytes, length);
	for (size_t portion = 1; portion < 2000; portion += 333) {
		size_t skipped = 0;
		AUTO(run) struct run *run = made_read(all, made.length + length, portion, &skipped);
		CHECK_INT(skipped, want_skipped);
		CHECK_INT(run->outcome, RUN_COMPLETE);
		CHECK_TEXT(run->workload, "page_fault1");
		CHECK_TEXT(run->log, "one line\n");
		CHECK_INT(run->n_facts, 2);
		CHECK_KNOWN(run, "proc-vmstat.pgfault", 800);
	}
	free(all);
	made_free(&made);
}

static void foreign_text_between_frames_is_passed_over_and_counted(void **state)
{
	check_insert("Segmentation fault\n", 19, 19);
	check_insert(FRAME_SYNC, FRAME_SYNC_BYTES, FRAME_SYNC_BYTES);
	check_insert("\xfe\xfe\xa5\xfe\xa5\x9e", 6, 6);
}

static void a_frame_of_an_unknown_type_is_passed_over_as_it_should(void **state)
{
	size_t length;
	uint8_t *frame = made_frame(200, 0, "later", 5, &length);
	check_insert(frame, length, 0);
	free(frame);
	frame = made_frame(0, 0, NULL, 0, &length);
	check_insert(frame, length, 0);
	free(frame);
}

static void a_frame_with_flags_of_a_later_version_is_passed_over(void **state)
{
	size_t length;
	uint8_t *frame = made_frame(WIRE_LOG, 1, "squeezed", 8, &length);
	check_insert(frame, length, 0);
	free(frame);
}

static void a_claim_of_a_huge_length_hides_nothing(void **state)
{
	/* Longer than any frame, and as long as a frame may be: neither comes. */
	check_insert(FRAME_SYNC "\x0b\0\0\0\xff\xff\xff\xff\0\0\0\0", 16, 16);
	check_insert(FRAME_SYNC "\x0b\0\0\0\0\0\x10\0\0\0\0\0", 16, 16);
}

static void bytes_made_to_be_checked_in_vain_end_soon(void **state)
{
	/* Each 16 bytes claim to begin a frame of a megabyte: checked one by one, these 4 MiB
	 * would ask for 200,000 checksums of a megabyte each. */
	static const uint8_t claim[] = FRAME_SYNC "\x0b\0\0\0\0\0\x10\0\0\0\0";
	static_assert(sizeof(claim) == FRAME_HEADER_BYTES, "one header");
	const size_t length = 4U << 20;
	uint8_t *bytes = mem_zero(length);
	for (size_t at = 0; at < length; at += sizeof(claim))
		memcpy(bytes + at, claim, sizeof(claim));
	size_t skipped = 0;
	AUTO(run) struct run *run = made_read(bytes, length, length, &skipped);
	CHECK_INT(skipped, length);
	CHECK_INT(run->outcome, RUN_TORN);
	free(bytes);
}

static void bytes_of_chance_give_an_empty_torn_run(void **state)
{
	uint8_t bytes[4096];
	uint32_t chance = 1;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		chance = chance * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(chance >> 24);
	}
	size_t skipped = 0;
	AUTO(run) struct run *run = made_read(bytes, sizeof(bytes), 100, &skipped);
	CHECK_INT(skipped, sizeof(bytes));
	CHECK_INT(run->outcome, RUN_TORN);
	CHECK_INT(run->n_metrics, 0);
	CHECK_TEXT(run->workload, "");
	CHECK_TEXT(run->log, "");
}

static void a_newer_format_is_refused_with_both_versions(void **state)
{
	const uint8_t hello[32] = { WIRE_VERSION + 1 };
	size_t length;
	uint8_t *frame = made_frame(WIRE_HELLO, 0, hello, sizeof(hello), &length);
	AUTO(stream) struct stream *stream = stream_new();
	struct error err = { 0 };
	CHECK_INT(stream_feed(stream, frame, length, &err), -EBADMSG);
	CHECK_INT(err.code, EBADMSG);
	CHECK_HOLDS(err.text, "format version 2");
	CHECK_HOLDS(err.text, "up to 1");
	err = (struct error) { 0 };
	CHECK_INT(stream_feed(stream, "x", 1, &err), -EBADMSG);
	CHECK_HOLDS(err.text, "format version 2");
	AUTO(run) struct run *run = stream_finish(stream);
	CHECK_INT(run->outcome, RUN_TORN);
	free(frame);
}

static void progress_is_told_while_the_stream_flows(void **state)
{
	struct made made = made_whole();
	AUTO(stream) struct stream *stream = stream_new();
	CHECK(stream_phase(stream) == PHASE_PREPARE);
	CHECK(!stream_has_ended(stream));
	enum phase before = PHASE_PREPARE;
	for (size_t i = 0; i < made.length; i++) {
		CHECK(!stream_has_ended(stream));
		CHECK_INT(stream_feed(stream, made.bytes + i, 1, NULL), 0);
		CHECK(stream_phase(stream) >= before);
		before = stream_phase(stream);
	}
	CHECK(stream_has_ended(stream));
	CHECK_INT(before, PHASE_TEARDOWN);
	AUTO(run) struct run *run = stream_finish(stream);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK(!stream_has_ended(stream));
	AUTO(run) struct run *empty = stream_finish(stream);
	CHECK_INT(empty->outcome, RUN_TORN);
	made_free(&made);
}

static void a_supervisor_can_write_the_last_word_after_a_tear(void **state)
{
	struct made made = made_open();
	made_preface(&made);
	/* The runner dies inside a frame; the supervisor goes on with a writer of its own. */
	CHECK_INT(write(made.fd, FRAME_SYNC "\x07\0\0\0\x40\0\0\0", 12), 12);
	struct wire *supervisor = wire_new(made.fd);
	CHECK_INT(wire_end(supervisor, RUN_FAILED, "the workload was killed by signal 9"), 0);
	wire_free(supervisor);
	made_close(&made);
	size_t skipped = 0;
	AUTO(run) struct run *run = made_read(made.bytes, made.length, 5, &skipped);
	CHECK_INT(skipped, 12);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "the workload was killed by signal 9");
	CHECK_MISSING(run, "proc-vmstat.pgfault", MISSING_FAILED);
	made_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(metrics_keep_all_that_they_say_of_themselves),
		cmocka_unit_test(the_three_states_of_a_score_arrive_apart),
		cmocka_unit_test(the_size_of_the_portions_does_not_matter),
		cmocka_unit_test(a_stream_torn_at_any_byte_gives_what_came_before_the_tear),
		cmocka_unit_test(
			a_torn_stream_keeps_its_samples_and_says_why_its_metrics_are_missing),
		cmocka_unit_test(a_damaged_byte_never_gives_a_wrong_number),
		cmocka_unit_test(only_the_damaged_frame_is_passed_over),
		cmocka_unit_test(a_lost_frame_never_gives_a_wrong_number),
		cmocka_unit_test(a_frame_that_comes_twice_changes_nothing),
		cmocka_unit_test(foreign_text_between_frames_is_passed_over_and_counted),
		cmocka_unit_test(a_frame_of_an_unknown_type_is_passed_over_as_it_should),
		cmocka_unit_test(a_frame_with_flags_of_a_later_version_is_passed_over),
		cmocka_unit_test(a_claim_of_a_huge_length_hides_nothing),
		cmocka_unit_test(bytes_made_to_be_checked_in_vain_end_soon),
		cmocka_unit_test(bytes_of_chance_give_an_empty_torn_run),
		cmocka_unit_test(a_newer_format_is_refused_with_both_versions),
		cmocka_unit_test(progress_is_told_while_the_stream_flows),
		cmocka_unit_test(a_supervisor_can_write_the_last_word_after_a_tear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
