#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# assay doctor --aa: the machine's false alarms are measured from the store, kept, and told.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" doctor --aa hackbench # There is no store yet.
measure one 8
measure two 6 --subject base --subject same
ends_with 0 "$assay" doctor --aa hackbench
says "of a subject with itself"
says "type of machine:"
ends_with 0 "$assay" doctor --aa hackbench --json
is_json
[ "$(json 'len(d["workloads"])')" = 1 ] || fail "one workload was asked for"
[ "$(json 'd["workloads"][0]["splits"] + d["workloads"][0]["withheld"] >= 1')" = True ] || fail "the runs of one subject were not split"
[ "$(json 'd["workloads"][0]["comparisons"] + d["workloads"][0]["withheld"]')" = 2 ] || fail "there are not two comparisons"
seed=$(json 'd["workloads"][0]["seed"]')

# The seed stays, unless another one is asked for.
ends_with 0 "$assay" doctor --aa --json
[ "$(json 'd["workloads"][0]["seed"]')" = "$seed" ] || fail "the splits were drawn anew"
ends_with 0 "$assay" doctor --aa hackbench --seed 5 --json
[ "$(json 'd["workloads"][0]["seed"]')" = 5 ] || fail "the seed is not the one that was asked for"

# A workload without runs has no comparisons, and any rate.
ends_with 0 "$assay" doctor --aa getppid1 --json
[ "$(json '(d["workloads"][0]["comparisons"], d["workloads"][0]["interval_percent"])')" = "(0, [0.0, 100.0])" ] ||
	fail "nothing measured has a rate"

ends_with 129 "$assay" doctor --aa nosuch
ends_with 129 "$assay" doctor --aa hackbench getppid1
ends_with 129 "$assay" doctor hackbench
ends_with 129 "$assay" doctor --seed 3
finish
