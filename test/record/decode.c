/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intact frames that lie: every payload is cut, overstated and repeated. */
#include "record/decode.h"

#include "base/macros.h"
#include "base/mem.h"
#include "check.h"

#include <endian.h>
#include <stdlib.h>

struct payload {
	uint8_t bytes[2048];
	size_t length;
};

static void put(struct payload *payload, const void *bytes, size_t length)
{
	assert_true(length <= sizeof(payload->bytes) - payload->length);
	memcpy(payload->bytes + payload->length, bytes, length);
	payload->length += length;
}

static void put_u8(struct payload *payload, uint8_t number)
{
	put(payload, &number, sizeof(number));
}

static void put_u32(struct payload *payload, uint32_t number)
{
	const uint32_t little = htole32(number);
	put(payload, &little, sizeof(little));
}

static void put_u64(struct payload *payload, uint64_t number)
{
	const uint64_t little = htole64(number);
	put(payload, &little, sizeof(little));
}

static void put_text(struct payload *payload, const char *text)
{
	put_u32(payload, (uint32_t)strlen(text));
	put(payload, text, strlen(text));
}

static void put_metric(struct payload *payload, const char *name, enum metric_kind kind)
{
	put_text(payload, name);
	put_text(payload, "KiB");
	put_text(payload, "");
	put_u8(payload, (uint8_t)kind);
	put_u8(payload, BETTER_NONE);
	put_u8(payload, ROLE_EVIDENCE);
}

static struct payload monitor_payload(uint32_t id)
{
	struct payload payload = { 0 };
	put_u32(&payload, id);
	put_u8(&payload, 1);
	put_text(&payload, "meminfo");
	put_text(&payload, "");
	return payload;
}

static struct payload channel_payload(uint32_t index, enum channel_kind kind, uint8_t width)
{
	struct payload payload = { 0 };
	put_u32(&payload, 0);
	put_u32(&payload, index);
	put_u8(&payload, (uint8_t)kind);
	put_u8(&payload, width);
	put_text(&payload, "MemFree");
	return payload;
}

static struct payload rule_payload(enum metric_kind kind, uint32_t n_parts, uint32_t first_part)
{
	struct payload payload = { 0 };
	put_u32(&payload, 0);
	put_metric(&payload, "MemFree", kind);
	put_u64(&payload, 0x3ff0000000000000ULL); /* Scale 1. */
	put_u32(&payload, n_parts);
	for (uint32_t i = 0; i < n_parts; i++)
		put_u32(&payload, first_part + i);
	put_u32(&payload, 0);
	return payload;
}

static struct payload sample_payload(uint32_t number, uint64_t at_ns, uint32_t n)
{
	struct payload payload = { 0 };
	put_u32(&payload, 0);
	put_u32(&payload, number);
	put_u64(&payload, at_ns);
	put_u32(&payload, n);
	for (uint32_t i = 0; i < n; i++) {
		put_u8(&payload, VALUE_KNOWN);
		put_u64(&payload, 0x4000000000000000ULL); /* As a level it is 2. */
	}
	return payload;
}

static enum decode_result take(struct decoded *decoded, uint8_t type, const struct payload *payload)
{
	/* A block of its own length, so that the sanitizer sees a read behind its end. */
	uint8_t *exact = mem_zero(payload->length);
	memcpy(exact, payload->bytes, payload->length);
	struct error err = { 0 };
	const enum decode_result result = decoded_take(decoded, type, exact, payload->length, &err);
	free(exact);
	return result;
}

static void must(struct decoded *decoded, uint8_t type, struct payload payload)
{
	CHECK(take(decoded, type, &payload) == DECODE_TAKEN);
}

static void must_not(struct decoded *decoded, uint8_t type, struct payload payload)
{
	CHECK(take(decoded, type, &payload) == DECODE_MALFORMED);
}

/* A monitor with one gauge. */
static struct decoded *make_decoded(void)
{
	struct decoded *decoded = decoded_new();
	must(decoded, WIRE_MONITOR, monitor_payload(0));
	must(decoded, WIRE_CHANNEL, channel_payload(0, CHANNEL_GAUGE, 0));
	return decoded;
}

static struct payload payload_of(uint8_t type)
{
	struct payload payload = { 0 };
	switch (type) {
	case WIRE_HELLO:
		put_u32(&payload, WIRE_VERSION);
		put_u32(&payload, 1);
		put_u64(&payload, 2);
		for (unsigned i = 0; i < 4; i++)
			put_text(&payload, "word");
		return payload;
	case WIRE_FACT:
		put_u8(&payload, VALUE_KNOWN);
		put_u8(&payload, 0);
		put_text(&payload, "cpu.model");
		put_text(&payload, "x");
		return payload;
	case WIRE_MONITOR:
		return monitor_payload(1);
	case WIRE_CHANNEL:
		return channel_payload(1, CHANNEL_COUNTER, 32);
	case WIRE_RULE:
		return rule_payload(METRIC_GAUGE, 1, 0);
	case WIRE_SAMPLE:
		return sample_payload(0, 1, 1);
	case WIRE_SCORE:
		put_metric(&payload, "score", METRIC_SCORE);
		put_u64(&payload, 0);
		return payload;
	case WIRE_PHASE:
		put_u32(&payload, PHASE_STOP);
		put_u64(&payload, 1);
		return payload;
	case WIRE_WORKER:
		put_u32(&payload, 0);
		put_u64(&payload, 1);
		put_u64(&payload, 1);
		return payload;
	case WIRE_COST:
		put_u32(&payload, 0);
		put_u32(&payload, 1);
		put_u64(&payload, 1);
		put_u64(&payload, 1);
		return payload;
	default:
		put_u32(&payload, RUN_COMPLETE);
		put_u32(&payload, 0);
		put_text(&payload, "");
		return payload;
	}
}

static void a_payload_cut_at_any_byte_is_malformed_and_the_whole_one_is_taken(void **state)
{
	for (uint8_t type = WIRE_HELLO; type <= WIRE_END; type++) {
		if (type == WIRE_LOG)
			continue;
		struct payload payload = payload_of(type);
		struct decoded *decoded = make_decoded();
		const size_t whole = payload.length;
		for (payload.length = 0; payload.length < whole; payload.length++)
			must_not(decoded, type, payload);
		must(decoded, type, payload);
		decoded_free(decoded);
	}
}

static void fields_that_a_later_version_appends_are_passed_over(void **state)
{
	for (uint8_t type = WIRE_HELLO; type <= WIRE_END; type++) {
		if (type == WIRE_LOG)
			continue;
		struct payload payload = payload_of(type);
		struct decoded *decoded = make_decoded();
		put_u64(&payload, 0xffffffffffffffffULL);
		must(decoded, type, payload);
		decoded_free(decoded);
	}
}

static void what_may_be_said_once_is_not_taken_twice(void **state)
{
	static const uint8_t once[] = { WIRE_HELLO, WIRE_MONITOR, WIRE_CHANNEL, WIRE_SAMPLE,
					WIRE_PHASE, WIRE_WORKER,  WIRE_COST,    WIRE_END };
	for (size_t i = 0; i < ARRAY_SIZE(once); i++) {
		struct decoded *decoded = make_decoded();
		must(decoded, once[i], payload_of(once[i]));
		must_not(decoded, once[i], payload_of(once[i]));
		decoded_free(decoded);
	}
}

static void a_frame_of_a_monitor_that_was_never_declared_is_malformed(void **state)
{
	static const uint8_t types[] = { WIRE_CHANNEL, WIRE_RULE, WIRE_SAMPLE, WIRE_COST };
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		struct decoded *decoded = decoded_new();
		must_not(decoded, types[i], payload_of(types[i]));
		CHECK(decoded->has_lost_monitor);
		decoded_free(decoded);
	}
	struct decoded *decoded = decoded_new();
	must_not(decoded, WIRE_MONITOR, monitor_payload(WIRE_MONITORS_MAX));
	must_not(decoded, WIRE_MONITOR, monitor_payload(UINT32_MAX));
	decoded_free(decoded);
}

static void a_channel_far_behind_the_others_is_refused(void **state)
{
	struct decoded *decoded = make_decoded();
	must_not(decoded, WIRE_CHANNEL,
		 channel_payload(CHANNELS_PER_MONITOR_MAX, CHANNEL_GAUGE, 0));
	must_not(decoded, WIRE_CHANNEL, channel_payload(UINT32_MAX, CHANNEL_GAUGE, 0));
	must_not(decoded, WIRE_CHANNEL, channel_payload(60000, CHANNEL_GAUGE, 0));
	must(decoded, WIRE_CHANNEL, channel_payload(5, CHANNEL_GAUGE, 0));
	CHECK_INT(decoded->monitors[0].series.n_channels, 6);
	CHECK(!decoded->monitors[0].has_channel[3]);
	decoded_free(decoded);
}

static void a_counter_is_32_or_64_bits_wide(void **state)
{
	struct decoded *decoded = make_decoded();
	must_not(decoded, WIRE_CHANNEL, channel_payload(1, CHANNEL_COUNTER, 0));
	must_not(decoded, WIRE_CHANNEL, channel_payload(1, CHANNEL_COUNTER, 33));
	must_not(decoded, WIRE_CHANNEL, channel_payload(1, (enum channel_kind)7, 64));
	must(decoded, WIRE_CHANNEL, channel_payload(1, CHANNEL_COUNTER, 64));
	decoded_free(decoded);
}

static void a_rule_has_the_channels_that_its_kind_needs_in_ascending_order(void **state)
{
	struct decoded *decoded = make_decoded();
	must_not(decoded, WIRE_RULE, rule_payload(METRIC_GAUGE, 0, 0));
	must_not(decoded, WIRE_RULE, rule_payload(METRIC_MAXIMUM, 2, 0));
	must_not(decoded, WIRE_RULE, rule_payload(METRIC_SHARE, 1, 0)); /* Of nothing. */
	must_not(decoded, WIRE_RULE, rule_payload(METRIC_SCORE, 1, 0));
	must_not(decoded, WIRE_RULE, rule_payload(METRIC_GAUGE, 1, CHANNELS_PER_MONITOR_MAX));
	struct payload descending = rule_payload(METRIC_GAUGE, 2, 0);
	descending.bytes[descending.length - 12] = 1; /* 1, 1 */
	must_not(decoded, WIRE_RULE, descending);
	must(decoded, WIRE_RULE, rule_payload(METRIC_GAUGE, 2, 0));
	decoded_free(decoded);
}

static void a_sample_has_one_reading_for_each_channel(void **state)
{
	struct decoded *decoded = make_decoded();
	must_not(decoded, WIRE_SAMPLE, sample_payload(0, 5, 0));
	struct payload more = sample_payload(0, 5, 1);
	more.bytes[16] = 200; /* Claims 200 readings and has one. */
	must_not(decoded, WIRE_SAMPLE, more);
	more.bytes[19] = 0xff; /* Claims four thousand millions. */
	must_not(decoded, WIRE_SAMPLE, more);
	must(decoded, WIRE_SAMPLE, sample_payload(0, 5, 1));
	must_not(decoded, WIRE_SAMPLE, sample_payload(1, 6, 2));
	CHECK_INT(decoded->monitors[0].series.n_samples, 1);
	CHECK_NEAR(decoded->monitors[0].series.readings[0].level, 2, 0);
	decoded_free(decoded);
}

static void samples_go_forward_in_time_and_in_number(void **state)
{
	struct decoded *decoded = make_decoded();
	must(decoded, WIRE_SAMPLE, sample_payload(0, 5, 1));
	must_not(decoded, WIRE_SAMPLE, sample_payload(1, 4, 1));
	must_not(decoded, WIRE_SAMPLE, sample_payload(UINT32_MAX, 6, 1));
	must(decoded, WIRE_SAMPLE, sample_payload(1, 5, 1));
	CHECK(!decoded->monitors[0].has_hole);
	must(decoded, WIRE_SAMPLE, sample_payload(3, 7, 1));
	CHECK(decoded->monitors[0].has_hole);
	must_not(decoded, WIRE_SAMPLE, sample_payload(2, 8, 1));
	decoded_free(decoded);
}

static void no_channel_comes_behind_the_first_sample(void **state)
{
	struct decoded *decoded = make_decoded();
	must(decoded, WIRE_SAMPLE, sample_payload(0, 5, 1));
	must_not(decoded, WIRE_CHANNEL, channel_payload(1, CHANNEL_GAUGE, 0));
	decoded_free(decoded);
}

static void a_level_that_is_no_number_is_malformed_and_the_rest_of_the_sample_stands(void **state)
{
	struct decoded *decoded = make_decoded();
	must(decoded, WIRE_CHANNEL, channel_payload(1, CHANNEL_GAUGE, 0));
	struct payload payload = sample_payload(0, 5, 2);
	memset(payload.bytes + 21, 0xff, 8);
	must(decoded, WIRE_SAMPLE, payload);
	const struct reading *readings = decoded->monitors[0].series.readings;
	CHECK_INT(readings[0].state, VALUE_MISSING);
	CHECK_INT(readings[0].why, MISSING_MALFORMED);
	CHECK_NEAR(readings[1].level, 2, 0);
	decoded_free(decoded);
}

static void a_reason_of_a_later_version_is_malformed(void **state)
{
	struct decoded *decoded = make_decoded();
	struct payload fact = { 0 };
	put_u8(&fact, VALUE_MISSING);
	put_u8(&fact, MISSING_COUNT);
	put_text(&fact, "cpu.model");
	put_text(&fact, "");
	must(decoded, WIRE_FACT, fact);
	CHECK_INT(decoded->run->facts[0].why, MISSING_MALFORMED);
	fact.bytes[0] = VALUE_STATE_COUNT;
	must_not(decoded, WIRE_FACT, fact);
	decoded_free(decoded);
}

static void a_stream_that_asks_for_too_much_memory_gets_no_more(void **state)
{
	struct decoded *decoded = make_decoded();
	must(decoded, WIRE_SAMPLE, sample_payload(0, 5, 1));
	decoded->memory = DECODE_MEMORY_MAX - 10;
	must_not(decoded, WIRE_FACT, payload_of(WIRE_FACT));
	must(decoded, WIRE_SAMPLE, sample_payload(1, 6, 1));
	CHECK_INT(decoded->monitors[0].series.n_samples, 1);
	CHECK(decoded->monitors[0].is_cut);
	/* The last word is heard all the same. */
	must(decoded, WIRE_COST, payload_of(WIRE_COST));
	must(decoded, WIRE_END, payload_of(WIRE_END));
	CHECK(decoded->has_ended);
	decoded_free(decoded);
}

static void an_unknown_type_is_told_from_a_malformed_frame(void **state)
{
	struct decoded *decoded = decoded_new();
	CHECK(decoded_take(decoded, 0, NULL, 0, NULL) == DECODE_UNKNOWN);
	CHECK(decoded_take(decoded, WIRE_END + 1, NULL, 0, NULL) == DECODE_UNKNOWN);
	CHECK(decoded_take(decoded, 255, NULL, 0, NULL) == DECODE_UNKNOWN);
	decoded_free(decoded);
}

static void an_outcome_or_phase_that_does_not_exist_is_malformed(void **state)
{
	struct decoded *decoded = decoded_new();
	struct payload end = payload_of(WIRE_END);
	end.bytes[0] = RUN_OUTCOME_COUNT;
	must_not(decoded, WIRE_END, end);
	struct payload phase = payload_of(WIRE_PHASE);
	phase.bytes[0] = PHASE_COUNT;
	must_not(decoded, WIRE_PHASE, phase);
	phase = payload_of(WIRE_PHASE);
	phase.bytes[4] = 0; /* At no time. */
	must_not(decoded, WIRE_PHASE, phase);
	decoded_free(decoded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_payload_cut_at_any_byte_is_malformed_and_the_whole_one_is_taken),
		cmocka_unit_test(fields_that_a_later_version_appends_are_passed_over),
		cmocka_unit_test(what_may_be_said_once_is_not_taken_twice),
		cmocka_unit_test(a_frame_of_a_monitor_that_was_never_declared_is_malformed),
		cmocka_unit_test(a_channel_far_behind_the_others_is_refused),
		cmocka_unit_test(a_counter_is_32_or_64_bits_wide),
		cmocka_unit_test(a_rule_has_the_channels_that_its_kind_needs_in_ascending_order),
		cmocka_unit_test(a_sample_has_one_reading_for_each_channel),
		cmocka_unit_test(samples_go_forward_in_time_and_in_number),
		cmocka_unit_test(no_channel_comes_behind_the_first_sample),
		cmocka_unit_test(
			a_level_that_is_no_number_is_malformed_and_the_rest_of_the_sample_stands),
		cmocka_unit_test(a_reason_of_a_later_version_is_malformed),
		cmocka_unit_test(a_stream_that_asks_for_too_much_memory_gets_no_more),
		cmocka_unit_test(an_unknown_type_is_told_from_a_malformed_frame),
		cmocka_unit_test(an_outcome_or_phase_that_does_not_exist_is_malformed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
