#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What can be run and read, from the rows.
. "$(dirname "$0")/setup.sh"

ends_with 0 "$assay" list workloads
says "hackbench"
says "[will-it-scale]"
ends_with 0 "$assay" list workloads will-it-scale --json
is_json
[ "$(json 'len(d) >= 13 and all(p["suite"] == "will-it-scale" for p in d if not p["adapter"])')" = True ] || fail "the suite does not choose"
ends_with 0 "$assay" list workloads 'page_fault?' --json
[ "$(json '[p["name"] for p in d]')" = "['page_fault1', 'page_fault2', 'page_fault3']" ] || fail "the pattern does not choose"
ends_with 0 "$assay" list monitors --json
[ "$(json 'all(p["what"] and p["stands"] for p in d)')" = True ] || fail "a monitor says nothing"
ends_with 0 "$assay" list metrics
says "proc-vmstat.*"
[ "$(grep -c '^will-it-scale.per_process_ops' "$work/out")" = 1 ] || fail "a suite's metric is not listed once"
ends_with 0 "$assay" list metrics time_sec --json
is_json
[ "$(json '[m["better"] for m in d if m["name"] == "hackbench.time_sec"]')" = "['lower']" ] || fail "no direction"
ends_with 0 "$assay" list workloads nosuch
[ ! -s "$work/out" ] || fail "nothing matches, and something is listed"

# What is ready to be run: the tree's own, found from a program that was not installed, and those of a folder.
ASSAY_EXPERIMENTS=$(realpath "$2")
export ASSAY_EXPERIMENTS
ends_with 0 "$assay" list experiments
says "what do the NUMA counters cost"
ends_with 0 "$assay" list experiments 'aa-*' --json
is_json
[ "$(json '[e["name"] for e in d]')" = "['aa-hackbench']" ] || fail "the pattern does not choose"
mkdir mine
printf 'question: mine?\nworkload: getppid1\nsubjects: {only: }\nruns: 1\n' >mine/asked.yaml
printf 'workload: nosuch\n' >mine/broken.yaml
ASSAY_EXPERIMENTS=$work/mine
ends_with 0 "$assay" list experiments
says "mine?"
says "cannot be read: "
ASSAY_EXPERIMENTS=$work/nowhere
ends_with 0 "$assay" list experiments
[ ! -s "$work/out" ] || fail "experiments out of nowhere"
finish
