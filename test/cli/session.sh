#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A session as a person has it: run, look, compare, remove. Tiny runs; nothing is said of their speed.
. "$(dirname "$0")/setup.sh"

tiny="-p groups=1 -p fds=2 -p loops=20 -q"

# shellcheck disable=SC2086
"$assay" run hackbench $tiny --subject base --subject head:param.ipc=pipe --runs 3 --name first --seed 7 >out 2>err
case $? in 0 | 1 | 125) ;; *) fail "run ended badly"; cat err ;; esac
says "hackbench.time_sec"

ends_with 0 "$assay" runs --json
is_json
[ "$(json 'len(d)')" = 6 ] || fail "there are not 6 runs"
[ "$(json 'sorted(set(r["outcome"] for r in d))')" = "['complete']" ] || fail "a run is not complete"

# The same seed gives the same order.
ends_with 0 "$assay" run hackbench --subject base --subject head:param.ipc=pipe --runs 3 --seed 7 --dry-run --json
is_json
planned=$(json '[d["jobs"][r["job"]]["subject"] for r in d["runs"]]')
"$assay" runs --json >out
[ "$(json '[r["subject"] for r in d]')" = "$planned" ] || fail "the order is not the seed's"

ends_with 0 "$assay" show 1
says "hackbench.throughput"
says "kernel.release"
says "isolation"
ends_with 0 "$assay" show 1 --json
is_json
[ "$(json 'd["outcome"]')" = complete ] || fail "show --json does not say the outcome"
ends_with 0 "$assay" show run:2 proc-vmstat
ends_with 0 "$assay" show 1 --series meminfo.MemFree
says "monitor,channel,seconds,reading"
says "meminfo,MemFree,"

for format in table lkp json csv; do
	"$assay" compare base head --format $format >out 2>err
	case $? in 0 | 1 | 125) ;; *) fail "compare --format $format ended badly"; cat err ;; esac
	says "hackbench.time_sec"
done
"$assay" compare first/base run:2,3 >out 2>err
case $? in 0 | 1 | 125 | 129) ;; *) fail "compare with run numbers ended badly"; cat err ;; esac
ends_with 129 "$assay" compare base nosuch
complains "'base', 'head'"
ends_with 129 "$assay" compare base nosuch/head
complains "no campaign"

# A second campaign whose name begins alike: the short name is ambiguous.
# shellcheck disable=SC2086
ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 2 -q --name first-too
says "will-it-scale.per_process_ops"
ends_with 129 "$assay" compare fir/base first/head
complains "ambiguous"
complains "'first-too'"

ends_with 0 "$assay" runs --campaigns
says "first-too"
ends_with 0 "$assay" store check
says "sound"
ends_with 0 "$assay" store backup "$work/copy.sqlite"
ends_with 128 "$assay" store backup "$work/copy.sqlite"
ends_with 0 "$assay" rm 1
ends_with 129 "$assay" show 1
ends_with 129 "$assay" rm 1
ends_with 0 "$assay" rm --campaign first
ends_with 0 "$assay" store gc
ends_with 0 "$assay" runs --json
[ "$(json 'len(d)')" = 2 ] || fail "rm --campaign left runs behind"

# A workload that cannot work is a kept run and "cannot say", not an error.
ends_with 125 "$assay" run command -p program=/bin/false --runs 1 -q
says "exit code 1"
finish
