/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are wrong in their head: the place, the fault, the nearest word. */
#include "adapted.h"

#define REST "start: [tool]\nscores: [{name: t.s, time: yes, unit: s, better: lower}]\n"

static void what_is_wrong_is_told_with_its_place(void **state)
{
	not_adapted("", "tool.yaml:1:1: nothing is written here");
	not_adapted("adapter: [tool\n",
		    "tool.yaml:2:1: not valid YAML: flow sequence without a closing bracket");
	not_adapted("[a]\n", "tool.yaml:1:1: it wants keys with values, this is a list");
	not_adapted(HEAD "strat: [tool]\nscores: []\n",
		    "tool.yaml:7:1: unknown key 'strat', did you mean 'start'?");
	not_adapted("adapter: tool\n", "tool.yaml:1:1: 'what' is missing here");
	not_adapted(HEAD "what: twice\n" REST,
		    "tool.yaml:7:1: duplicate key 'what', it stands in line 2 already");
	not_adapted("adapter: a b\nwhat: x\n",
		    "tool.yaml:1:10: 'a b' is no name: use up to 48 letters, digits, '-', '_' and "
		    "'.', and begin with a letter or digit");
	not_adapted("adapter: t\nwhat: x\nprogram: t\nversion: 1\nsemantics: 0\n" REST,
		    "tool.yaml:5:12: 'semantics' is 1 to 1000000, not 0");
	not_adapted("adapter: t\nwhat: x\nprogram: t\nversion: 1\nsemantics: one\n" REST,
		    "tool.yaml:5:12: 'semantics' wants a whole number, not 'one'");
	not_adapted("adapter: t\nwhat:\nprogram: t\nversion: 1\nsemantics: 1\n" REST,
		    "tool.yaml:2:1: 'what' wants a text, this is nothing");
}

static void a_whole_file_is_taken(void **state)
{
	AUTO(adapter) struct adapter *adapter = adapted(HEAD "stands: a path\n" REST);
	CHECK_TEXT(adapter->package, "tools");
	CHECK_TEXT(adapter->seen, "1.2");
	CHECK_TEXT(adapter->stands, "a path");
	CHECK_TEXT(adapter->path, "tool.yaml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
		cmocka_unit_test(a_whole_file_is_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
