#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sides by name, the formats, and what cannot be compared.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" compare base head
complains "there is no store"
measure first 3 --subject base --subject head:param.ipc=pipe --seed 7

for format in table lkp json csv; do
	ends_judged "$assay" compare base head --format $format
	says "hackbench.time_sec"
done
ends_judged "$assay" compare base head --json
is_json
ends_judged "$assay" compare base head
says "What the columns mean"
few=$(wc -l <"$work/out")
ends_judged "$assay" compare base head --all
[ "$(wc -l <"$work/out")" -gt "$few" ] || fail "--all shows no more rows"
ends_judged "$assay" compare base head --evidence 1 --alpha 0.05 --margin 3
says "95 % interval"

# A guard in words, and what it saw here.
ends_with 0 "$assay" compare --explain contaminated
says "contaminated: did other load"
ends_with 0 "$assay" compare --explain contaminated base head
says "head against base"
says "saw: other tasks kept CPUs busy"
ends_with 0 "$assay" compare --explain contaminated base head --json
is_json
[ "$(json '(d["guard"], d["heads"][0]["base"], d["heads"][0]["head"])')" = "('contaminated', 'base', 'head')" ] ||
	fail "the JSON answer does not name the guard and the sides"
ends_with 0 "$assay" compare --explain contaminated --json
[ "$(json 'd["heads"]')" = "[]" ] || fail "without sides there are heads"
ends_with 129 "$assay" compare --explain contaminated base head --format csv
complains "not as 'csv'"
ends_with 129 "$assay" compare --explain starvd base head
complains "did you mean 'starved'"

# The exit code is the one that JSON says.
"$assay" compare base head --json >"$work/out"
code=$?
[ "$(json 'max(p["exit_code"] for p in d)')" = $code ] || fail "the exit code $code is not the comparison's"

# Runs by their numbers, and three sides.
ends_with 0 "$assay" runs --json
bases=$(json '",".join(str(r["run"]) for r in d if r["subject"] == "base")')
heads=$(json '",".join(str(r["run"]) for r in d if r["subject"] == "head")')
ends_judged "$assay" compare "run:$bases" "run:$heads"
ends_judged "$assay" compare first/base first/head "run:$heads" --format csv

ends_with 129 "$assay" compare base nosuch
complains "'base', 'head'"
ends_with 129 "$assay" compare base nosuch/head
complains "no campaign"
ends_with 129 "$assay" compare base head --point 'getppid1*'
complains "matches the pattern"

# Another workload, and another parameter, are refused.
ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 2 -q --name first-too
ends_with 129 "$assay" compare first/base first-too
ends_with 129 "$assay" compare fir/base first/head
complains "ambiguous"
complains "'first-too'"
finish
