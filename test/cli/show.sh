#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Everything of one run: for people, for programs, narrowed, its series and its log.
. "$(dirname "$0")/setup.sh"

measure one 1
ends_with 0 "$assay" show 1
says "run 1 of campaign one: subject base"
says "outcome: complete"
says "hackbench.throughput"
says "isolation"
says "cost of measuring"
says "machine: "
says "not shown: "
if grep -q "kernel.release  " "$work/out"; then fail "the environment comes without being asked for"; fi
if grep -q "proc-vmstat.pgfault" "$work/out"; then fail "readings come without being asked for"; fi
[ "$(wc -l <"$work/out")" -lt 30 ] || fail "the short form is long"
ends_with 0 "$assay" show 1 --all
says "proc-vmstat.pgfault"
says "kernel.release"
if grep -q "not shown" "$work/out"; then fail "--all leaves something out"; fi
ends_with 0 "$assay" show 1 --environment
says "kernel.release"
if grep -q "hackbench.time_sec  " "$work/out"; then fail "--environment shows the scores"; fi
ends_with 0 "$assay" show run:1 proc-vmstat.pg
says "proc-vmstat.pgfault"
if grep -q "hackbench.time_sec" "$work/out"; then fail "the pattern does not narrow"; fi
ends_with 0 "$assay" show 1 '*.release'
says "kernel.release"

ends_with 0 "$assay" show 1 --json
is_json
[ "$(json 'd["outcome"]')" = complete ] || fail "show --json does not say the outcome"
[ "$(json 'any(m["name"] == "hackbench.time_sec" and m["value"]["number"] > 0 for m in d["metrics"])')" = True ] ||
	fail "show --json does not have the score"

ends_with 0 "$assay" show 1 --series meminfo.MemFree
says "monitor,channel,seconds,reading"
says "meminfo,MemFree,"
if grep -q "Buffers" "$work/out"; then fail "the pattern does not narrow the series"; fi

# What a program writes is in the log, and in nothing else's way.
ends_with 125 "$assay" run command -p "program=sh -c 'echo to out; echo to err >&2; exit 3'" --runs 1 -q
ends_with 0 "$assay" show 2 --log
says "to out"
says "to err"
ends_with 0 "$assay" show 2
says "exit code 3"
says "all of the log"
says "to err"

ends_with 129 "$assay" show 99
complains "99"
ends_with 129 "$assay" show 0
ends_with 129 "$assay" show 1 a b
"$assay" run getppid1 -p duration=0.05 -p warmup=0 -p nr_task=1 --runs 1 -q >"$work/out" 2>"$work/err"
ends_with 0 "$assay" runs --workload getppid1 --json
ends_with 0 "$assay" show "$(json 'd[-1]["run"]')"
grep -q " 1 worker$" "$work/out" || fail "one worker is told as several"
finish
