#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Marks are made, listed, shown, withdrawn and carried along.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" mark list # There is no store yet.
measure one 2 --subject base --subject head:param.ipc=pipe
ends_with 0 "$assay" mark list
says "no marks"

ends_with 0 "$assay" mark hackbench.time_sec expected --why "a knob was turned" --tolerance 2.5 --point 'hackbench/*'
says "mark 1"
ends_with 0 "$assay" mark one/base..head invalid --why "a backup ran" --json
[ "$(json 'd["id"]')" = 2 ] || fail "the second mark is not number 2"
ends_with 0 "$assay" mark 'proc-vmstat.*' expected --why "more memory"
ends_with 0 "$assay" mark one invalid --why "all of it"
ends_with 0 "$assay" mark list
says "hackbench.time_sec  expected within 2.5 % at hackbench/*"
says "a knob was turned"
says "one/base..head  invalid"
ends_with 0 "$assay" mark list --json
is_json
[ "$(json '[m["target"] for m in d]')" = "['hackbench.time_sec', 'one/base..head', 'proc-vmstat.*', 'one']" ] ||
	fail "the targets are not those that were marked"
[ "$(json '(d[0]["tolerance_percent"], d[1]["tolerance_percent"], d[0]["campaign"], d[1]["metric"])')" = "(2.5, None, None, None)" ] ||
	fail "what was not said is not null"

# Every report shows them.
ends_judged "$assay" compare one/base one/head
says "a knob was turned"
says "a backup ran"
ends_judged "$assay" compare one/base one/head --json
json 'json.dumps(d)' | grep -q "a backup ran" || fail "the JSON report does not tell of the mark"

# Withdrawn is not gone.
ends_with 0 "$assay" mark remove 2
ends_with 129 "$assay" mark remove 2
complains "withdrawn already"
ends_with 129 "$assay" mark remove 99
ends_with 0 "$assay" mark list --json
[ "$(json '[m["id"] for m in d]')" = "[1, 3, 4]" ] || fail "the withdrawn mark is still listed"
ends_with 0 "$assay" mark list --all --json
[ "$(json '[m["id"] for m in d if m["withdrawn_by"]]')" = "[2]" ] || fail "the withdrawn mark is not kept"
ends_judged "$assay" compare one/base one/head
grep -q "a backup ran" "$work/out" && fail "a withdrawn mark is still shown"

# Another store takes them, with their campaign.
ends_with 0 "$assay" store merge "$work/data/assay" --store other
ends_with 0 "$assay" mark list --all --store other --json
[ "$(json '[(m["target"], m["why"]) for m in d][3]')" = "('one', 'all of it')" ] || fail "a mark was not merged"

# What is not there is refused, with what is.
ends_with 129 "$assay" mark hackbench.time_sce expected --why x
complains "did you mean 'hackbench.time_sec'"
ends_with 129 "$assay" mark one/base..haed expected --why x
complains "'head'"
ends_with 129 "$assay" mark two/base..head expected --why x
complains "no campaign is called 'two'"
ends_with 129 "$assay" mark one/base..base expected --why x
complains "names the subject 'base' twice"
ends_with 129 "$assay" mark hackbench.time_sec expected --why "ok
verdict: same"
complains "U+000A"
ends_with 129 "$assay" mark hackbench.time_sec expected --why '   '
complains "blank"
ends_with 129 "$assay" mark hackbench.time_sec expected --why x --point "hack
bench"
complains "option '--point' holds U+000A"
ends_with 0 "$assay" mark hackbench.time_sec expected --why x --point 'hackbnech/*'
complains "no point that was measured fits '--point hackbnech/*' yet"
ends_with 129 "$assay" mark hackbench.time_sec expected
complains "--why"
ends_with 129 "$assay" mark hackbench.time_sec invalid --why x --tolerance 3
ends_with 129 "$assay" mark hackbench.time_sec great --why x
ends_with 129 "$assay" mark hackbench.time_sec expected --why x --tolerance -3
ends_with 129 "$assay" mark
ends_with 129 "$assay" mark list --why x
ends_with 129 "$assay" mark remove two
finish
