/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `assay completion`: scripts for bash, zsh and fish. The scripts hold no list of their own: they
 * ask `assay completion query` what may stand at the cursor, and that comes from the rows.
 */
#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/complete.h"
#include "cli/say.h"

#include <stdio.h>
#include <string.h>

/* bash splits words at '=' and ':' as well, which stand inside of ours: the line is split anew, and
 * what bash takes for done already is cut off the candidates. */
static const char bash_script[] =
	"_assay() {\n"
	"    local line=${COMP_LINE:0:COMP_POINT} typed done\n"
	"    local -a before\n"
	"    read -ra before <<<\"$line\"\n"
	"    case $line in *[[:space:]]) before+=('') ;; esac\n"
	"    typed=${before[${#before[@]} - 1]}\n"
	"    done=${typed%\"$2\"}\n"
	"    local IFS=$'\\n'\n"
	"    COMPREPLY=($(assay completion query -- $((${#before[@]} - 1)) \"${before[@]}\" "
	"2>/dev/null))\n"
	"    COMPREPLY=(\"${COMPREPLY[@]#\"$done\"}\")\n"
	"    case ${#COMPREPLY[@]}${COMPREPLY[0]} in 1*=) compopt -o nospace 2>/dev/null ;; esac\n"
	"}\n"
	"complete -o default -o nosort -F _assay assay\n";

static const char zsh_script[] =
	"#compdef assay\n"
	"_assay() {\n"
	"    local -a words_found\n"
	"    words_found=(\"${(@f)$(assay completion query -- $((CURRENT - 1)) \"${words[@]}\" "
	"2>/dev/null)}\")\n"
	"    if [[ -n \"$words_found[1]\" ]]; then compadd -Q -- $words_found; else _files; fi\n"
	"}\n"
	"compdef _assay assay\n";

static const char fish_script[] =
	"function __assay_complete\n"
	"    set -l before (commandline -opc)\n"
	"    assay completion query -- (count $before) $before (commandline -ct) 2>/dev/null\n"
	"end\n"
	"complete -c assay -a '(__assay_complete)'\n";

static const struct {
	const char *name;
	const char *script;
} shells[] = { { "bash", bash_script }, { "fish", fish_script }, { "zsh", zsh_script } };

/* query CURSOR WORD...: one candidate a line. Never fails: a shell is no place for errors. */
static int query(const struct parsed *parsed)
{
	uint64_t cursor;
	if (parsed->n_words < 3 || !text_parse_u64(parsed->words[1], &cursor))
		return EXIT_NO_REGRESSION;
	complete_print(parsed->words + 2, parsed->n_words - 2, (size_t)cursor);
	return say_done(EXIT_NO_REGRESSION);
}

static int run(const struct parsed *parsed)
{
	if (parsed->n_words > 0 && strcmp(parsed->words[0], "query") == 0)
		return query(parsed);
	for (size_t i = 0; parsed->n_words == 1 && i < ARRAY_SIZE(shells); i++) {
		if (strcmp(shells[i].name, parsed->words[0]) != 0)
			continue;
		(void)fputs(shells[i].script, stdout);
		return say_done(EXIT_NO_REGRESSION);
	}
	return say_usage("completion for which shell? bash, fish or zsh");
}

static const struct option_row options[] = { { 0 } };

const struct command_row command_completion = {
	.name = "completion",
	.words = "bash|fish|zsh",
	.what = "print the completion script of a shell",
	.options = options,
	.run = run,
	.completes = "shell",
};
