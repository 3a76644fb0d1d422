#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong command lines: each line of wrong.args must end with exit code 129 and exactly the error
# that stands in the same line of wrong.errors, print nothing else, and leave no store behind.
# UPDATE=1 records the errors anew. Prints a line a failing case.
set -u

assay=$(realpath "$1") here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"
unset ASSAY_STORE XDG_CONFIG_HOME
cd "$work" || exit 1
mkdir folder.yaml # A line names it as an experiment file.
failed=0 n=0
: >"$work/errors"
while IFS= read -r line; do
	n=$((n + 1))
	# Words are split at blanks only: the lines hold no quotes and no patterns.
	set -f
	# shellcheck disable=SC2086
	"$assay" $line >"$work/out" 2>"$work/err" </dev/null
	code=$?
	set +f
	cat "$work/err" >>"$work/errors"
	if [ -z "${UPDATE:-}" ]; then
		want=$(sed -n "${n}p" "$here/wrong.errors")
		got=$(cat "$work/err")
		if [ "$got" != "$want" ]; then
			failed=1
			printf 'assay %s\n  said   %s\n  wanted %s\n' "$line" "$got" "$want"
		fi
	fi
	if [ $code -ne 129 ] || [ -s "$work/out" ] || [ -e "$work/data" ]; then
		failed=1
		printf 'assay %s\n  exit code %s, or output, or a store was made\n' "$line" "$code"
		cat "$work/err"
	fi
done <"$here/wrong.args"
[ -z "${UPDATE:-}" ] || cp "$work/errors" "$here/wrong.errors"
[ $n -ge 30 ] || failed=1
exit $failed
