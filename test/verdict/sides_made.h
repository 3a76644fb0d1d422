/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison for the tests of guards: two sides of runs of a healthy machine, measured in random
 * blocks of 2 + 2 (the order of each block is drawn). A test says what is wrong before it asks.
 *
 *     struct sides_made made;
 *     made_begin(&made, 10);
 *     made_score(&made, 100, 100, 1);
 *     sample_fact(&made.head, "clock.source", "hpet");
 *     made_ask(&made, "clock");
 *     made_end(&made);
 *
 * What is set first stays: made_ask adds the healthy facts and readings that are not there.
 */
#pragma once

#include "check.h"
#include "verdict/sides_values.h"

/* Places and start times in drawn blocks, the base's and the head's runs each in their order. */
static inline void made_draw(struct sides_made *made, size_t n)
{
	uint64_t sequence = 0;
	size_t done[2] = { 0, 0 };
	for (size_t block = 0; done[0] + done[1] < 2 * n; block++) {
		size_t left[2] = { 2, 2 };
		while (left[0] + left[1] && done[0] + done[1] < 2 * n) {
			size_t side = random_below(&made->random, left[0] + left[1]) >= left[0];
			if (done[side] == n)
				side = 1 - side;
			left[side] -= left[side] > 0;
			struct sample *sample = side ? &made->head : &made->base;
			made->places[side][done[side]] = (struct run_place) { block, ++sequence };
			sample->runs[done[side]++]->started_wall_ns = 1000000000 * sequence;
		}
	}
}

static inline void made_begin_seeded(struct sides_made *made, size_t n, uint64_t seed)
{
	*made = (struct sides_made) { .order_known = true };
	random_seed(&made->random, seed);
	made->base = sample_make("base", n);
	made->head = sample_make("head", n);
	made->places[0] = mem_array(n, sizeof(struct run_place));
	made->places[1] = mem_array(n, sizeof(struct run_place));
	made->plugin = (struct plugin) { .name = "getppid1", .claims_cpu = true };
	made->options.plugin = &made->plugin;
	made_draw(made, n);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < n; i++) {
			struct run *run = side ? made->head.runs[i] : made->base.runs[i];
			run->workers = mem_zero(sizeof(*run->workers));
			run->n_workers = 1;
		}
}

static inline void made_begin(struct sides_made *made, size_t n)
{
	made_begin_seeded(made, n, /* seed= */ 5);
}

/* All runs of the base, then all of the head, with nothing known but when they began. */
static inline void made_part(struct sides_made *made)
{
	made->order_known = false;
	for (size_t i = 0; i < made->base.n_runs; i++)
		made->base.runs[i]->started_wall_ns = 1000000000 * (i + 1);
	for (size_t i = 0; i < made->head.n_runs; i++)
		made->head.runs[i]->started_wall_ns = 1000000000 * (made->base.n_runs + i + 1);
}

static inline void made_judge(struct sides_made *made)
{
	struct error err = { 0 };
	made_healthy(made);
	made->sides[0] = sample_side(&made->base);
	made->sides[1] = sample_side(&made->head);
	if (made->order_known) {
		made->sides[0].places = made->places[0];
		made->sides[1].places = made->places[1];
	}
	if (comparison_make(made->sides, 2, &made->options, &made->comparison, &err) < 0)
		fail_msg("%s", err.text);
}

/* Judges, forgets what all guards said, and asks one. */
static inline void made_ask(struct sides_made *made, const char *guard)
{
	made_judge(made);
	guard_forget(made->comparison);
	guard_find(guard)->examine(made->comparison);
}

static inline size_t made_notes(const struct sides_made *made)
{
	return made->comparison->n_notes;
}

/* The one note must withhold or warn, and hold the piece. */
static inline void made_check(const struct sides_made *made, bool withholds, const char *piece)
{
	const struct comparison *comparison = made->comparison;
	for (size_t i = 1; i < comparison->n_notes; i++)
		fail_msg("and also: %s", comparison->notes[i].text);
	if (comparison->n_notes != 1)
		fail_msg("nothing was said, and \"%s\" was expected", piece);
	CHECK_HOLDS(comparison->notes[0].text, piece);
	CHECK_INT(comparison->notes[0].withholds, withholds);
}

static inline void made_end(struct sides_made *made)
{
	comparison_free(made->comparison);
	sample_done(&made->base);
	sample_done(&made->head);
	free(made->places[0]);
	free(made->places[1]);
}
