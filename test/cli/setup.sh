# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of this folder: a home of the test's own, and checks that say what failed.
# The script is called with the path of the assay under test.
set -u

assay=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state" ASAN_OPTIONS=detect_leaks=1
unset ASSAY_STORE
cd "$work" || exit 1
failures=0

fail() { failures=$((failures + 1)); printf 'not so: %s\n' "$*"; }

# ends_with CODE COMMAND...: runs it with its output in $work/out and $work/err, and checks its exit code.
ends_with()
{
	want=$1
	shift
	"$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	[ $code -eq "$want" ] || { fail "'$*' ended with $code, not $want"; cat "$work/out" "$work/err"; }
}

says() { grep -qF -- "$1" "$work/out" || { fail "no '$1' in the output:"; cat "$work/out"; }; }
complains() { grep -qF -- "$1" "$work/err" || { fail "no '$1' in the errors:"; cat "$work/err"; }; }
is_json() { python3 -m json.tool "$work/out" >/dev/null || fail "the output is not JSON"; }
# json EXPRESSION: a Python expression over the document d.
json() { python3 -c "import json; d = json.load(open('$work/out')); print($1)"; }

finish() { [ $failures -eq 0 ]; exit $?; }
