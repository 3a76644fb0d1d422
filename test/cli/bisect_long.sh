#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Five times: 200 commits of a program that is measured for real; one slows it by 3 %, two do not build, one only moves
# functions, one changes a comment beside the culprit. Each time the right one must be accused.
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/project.sh"

round=1
while [ $round -le "${ROUNDS:-5}" ]; do
	rm -rf repo
	measured_project 200 $((20 + 33 * round))
	ends_with 0 "$assay" bisect good bad --repo repo --command ./bench --score 'regex:seconds: ([0-9.]+)' --better lower \
		--afresh --seed $round --name "round-$round" --quiet --json
	is_json
	found=$(json '[c["subject"] for e in d["changes"] for c in e["commits"]]')
	[ "$found" = "['slow it']" ] || fail "round $round accuses $found"
	json '"round '$round': %d runs to search, %d to confirm, %d for the guards, %d builds; halving with repeats: %s runs" % (d["cost"]["runs_search"], d["cost"]["runs_confirm"], d["cost"]["runs_guards"], d["cost"]["builds"], d["cost"]["halving_runs"])'
	round=$((round + 1))
done

finish
