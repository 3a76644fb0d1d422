#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C and kill -9 lose no run that was kept, and resume goes on to the planned number.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" resume
complains "there is no store"

start stopped --subject base --subject twin
kill -INT $pid
wait $pid
start killed --subject base --subject twin
kill -9 $pid
wait $pid 2>/dev/null
"$assay" runs --campaign killed --json >"$work/out"
before=$(json '[r["run"] for r in d if r["outcome"] == "complete"]')

# resume_and_check NAME WORD...: all 8 planned runs are there afterwards, and a comparison is printed.
resume_and_check()
{
	name=$1
	shift
	ends_judged "$assay" resume "$@" -q
	says "will-it-scale.per_process_ops"
	ends_with 0 "$assay" runs --campaign "$name" --json
	[ "$(json 'sum(r["outcome"] == "complete" for r in d)')" = 8 ] || fail "$name has not its 8 runs after resume"
	[ "$(json 'sorted(set(r["sequence"] for r in d)) == list(range(8))')" = True ] || fail "$name: a planned run is missing"
}

resume_and_check killed # The newest.
[ "$(json "set($before) <= set(r['run'] for r in d)")" = True ] || fail "a kept run is gone"
resume_and_check stopped # The newest is complete: the newest that has runs left.
ends_with 0 "$assay" runs --campaigns --json
[ "$(json '[c["finished"] for c in d]')" = "[True, True]" ] || fail "a resumed campaign is unfinished"

# Also until decided: killed and gone on with, it ends decided or with all its runs.
"$assay" run getppid1 -p duration=0.1 -p warmup=0 --max-runs 8 -q --name until -s base -s twin >out 2>err &
pid=$!
sleep 1
kill -9 $pid
wait $pid 2>/dev/null
ends_judged "$assay" resume until -q
ends_with 0 "$assay" runs --campaigns --json
[ "$(json '[c["finished"] for c in d if c["campaign"] == "until"]')" = "[True]" ] || fail "it is not finished"
ends_with 0 "$assay" rm --campaign until

# A finished campaign is only printed again.
resume_and_check stopped stopped
ends_judged "$assay" resume stopped -q
complains "nothing was left to run of campaign 'stopped'"
ends_with 0 "$assay" resume
complains "nothing is left to run; the newest campaign is 'killed'"
[ ! -s "$work/out" ] || fail "resume without anything to run prints a result"
ends_with 129 "$assay" resume nosuch
complains "'nosuch'"
ends_with 129 "$assay" resume stopped killed
ends_with 129 "$assay" resume stopped --format html
finish
