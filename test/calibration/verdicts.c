/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the judgement keep what it promises? Simulates experiments whose truth is known, judges them
 * by our rules and, from the same numbers, by those of other tools, and prints tables with 99 %
 * Clopper-Pearson intervals; the tables in assay-statistics(7) are this program's output. Exits 1
 * when a claim is not met.
 *
 *     verdicts SECTION|all [REPETITIONS]
 *
 * A false-alarm rate is met when its interval reaches down to what is promised and (from 10,000
 * repetitions on) its upper end is below one and a half times that. A power figure is met when its
 * interval reaches it. The seeds were drawn from the system once, before the first long run, and are
 * not changed because of a result.
 */
#include "base/macros.h"
#include "base/text.h"
#include "calibration/sections.h"

#include <stdio.h>

#define REPETITIONS_SHORT 400

static const struct {
	const char *name;
	void (*print)(struct calibration *calibration);
	uint64_t seed;
} sections[] = {
	{ "disturbed", section_disturbed, 17405304055146033682ULL },
	{ "shapes", section_shapes, 13406517436649258676ULL },
	{ "family", section_family, 145334287204945582ULL },
	{ "power", section_power, 16802310223367235986ULL },
	{ "interval", section_interval, 2295244088179715069ULL },
	{ "sequential", section_sequential, 14705261624331194810ULL },
	{ "evidence", section_evidence, 15959079046162593206ULL },
};

static int usage(void)
{
	(void)fprintf(stderr, "usage: verdicts SECTION|all [REPETITIONS]\nsections:");
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		(void)fprintf(stderr, " %s", sections[i].name);
	(void)fprintf(stderr, "\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct calibration calibration = { .repetitions = REPETITIONS_SHORT };
	if (argc < 2 || argc > 3 ||
	    (argc == 3 && !text_parse_u64(argv[2], &calibration.repetitions)) ||
	    calibration.repetitions == 0)
		return usage();
	calibration.rules = rules_new();
	bool any = false;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (!text_equal(argv[1], "all") && !text_equal(argv[1], sections[i].name))
			continue;
		any = true;
		random_seed(&calibration.random, sections[i].seed);
		printf("\n== %s: %llu repetitions, seed %llu\n", sections[i].name,
		       (unsigned long long)calibration.repetitions,
		       (unsigned long long)sections[i].seed);
		sections[i].print(&calibration);
	}
	rules_free(calibration.rules);
	if (!any)
		return usage();
	printf("\n%u claims met, %u NOT MET\n", calibration.claims.n_met,
	       calibration.claims.n_not_met);
	return calibration.claims.n_not_met ? 1 : 0;
}
