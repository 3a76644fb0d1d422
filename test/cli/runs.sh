#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The list of runs and campaigns, narrowed, for people and for programs.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" runs
complains "'assay run' makes one"
measure one 2 --subject base --subject head:param.ipc=pipe
ends_with 0 "$assay" run getppid1 -p duration=0.05 -p warmup=0 --runs 1 -q --name two

ends_with 0 "$assay" runs
says "workload and parameters"
says "hackbench/fds=2"
[ "$(wc -l <"$work/out")" = 6 ] || fail "there are not 5 lines and a header"
ends_with 0 "$assay" runs --json
is_json
[ "$(json '[r["run"] for r in d]')" = "[1, 2, 3, 4, 5]" ] || fail "the numbers are not 1 to 5"
ends_with 0 "$assay" runs --campaign one --subject head --json
[ "$(json '[(r["campaign"], r["subject"]) for r in d]')" = "[('one', 'head'), ('one', 'head')]" ] || fail "not narrowed"
ends_with 0 "$assay" runs --workload getppid1 --json
[ "$(json 'len(d)')" = 1 ] || fail "--workload does not narrow"
ends_with 0 "$assay" runs --limit 2 --json
[ "$(json '[r["run"] for r in d]')" = "[4, 5]" ] || fail "--limit does not keep the newest"
ends_with 0 "$assay" runs --limit 0 --json
[ "$(json 'len(d)')" = 5 ] || fail "--limit 0 is not all"
ends_with 0 "$assay" runs --campaigns
says "4 of 4"
ends_with 0 "$assay" runs --campaigns --json
is_json
[ "$(json '[(c["campaign"], c["finished"]) for c in d]')" = "[('two', True), ('one', True)]" ] || fail "not the newest first"
ends_with 129 "$assay" runs --campaign nosuch
complains "'nosuch'"
ends_with 129 "$assay" runs --limit few
finish
