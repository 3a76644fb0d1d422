#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Help for everything that has a name.
. "$(dirname "$0")/setup.sh"

ends_with 0 "$assay" help
says "compare"
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$work/out")
for command in $commands; do
	ends_with 0 "$assay" "$command" --help
	says "usage: assay $command"
	cp "$work/out" long
	ends_with 0 "$assay" "$command" -h
	cmp -s long "$work/out" || fail "$command: -h and --help differ"
	ends_with 0 "$assay" help "$command"
	cmp -s long "$work/out" || fail "$command: 'help $command' and --help differ"
done
for kind in workloads monitors; do
	"$assay" list $kind --json >"$work/out"
	for name in $(json '"\n".join(p["name"] for p in d)'); do
		ends_with 0 "$assay" help "$name"
		says "$name: "
		says "metrics:"
	done
done
ends_with 0 "$assay" help hackbench
says "groups (g)"
says "default 10"
says "lower is better"
ends_with 0 "$assay" run --help
tr -s ' \n' ' ' <"$work/out" >"$work/flat"
grep -q "a dotted KEY without KIND is a sysctl" "$work/flat" || fail "run --help does not say what a dotted key is"
ends_with 0 "$assay" --help
says "usage: assay COMMAND"
ends_with 129 "$assay"
complains "usage: assay COMMAND"
ends_with 129 "$assay" help run compare
finish
