/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay version`. */
#include "assay_build.h"
#include "cli/command.h"
#include "cli/say.h"

#include <stdio.h>

static int run(const struct parsed *parsed)
{
	if (parsed->n_words > 0)
		return say_usage("version takes no words");
	if (options_has(parsed, "json"))
		return say_json(json_pack("{s:s, s:s, s:s}", "version", ASSAY_VERSION, "compiler",
					  ASSAY_COMPILER, "flags", ASSAY_BUILD_FLAGS));
	(void)printf("assay %s (%s, %s)\n", ASSAY_VERSION, ASSAY_COMPILER, ASSAY_BUILD_FLAGS);
	return say_done(EXIT_NO_REGRESSION);
}

static const struct option_row options[] = { OPTION_JSON, { 0 } };

const struct command_row command_version = {
	.name = "version",
	.words = "",
	.what = "print the version and how it was built",
	.options = options,
	.run = run,
};
