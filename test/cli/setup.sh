# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of this folder: a home of the test's own, and checks that say what failed.
# The script is called with the path of the assay under test.
set -u

# The build tool gives a path from its own folder, which is not where the test works.
assay=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state" ASAN_OPTIONS=detect_leaks=1
unset ASSAY_STORE XDG_CONFIG_HOME
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

# Runs as small as they can be; nothing is said of their speed.
tiny="-p groups=1 -p fds=2 -p loops=20 --quiet"

# measure NAME RUNS ARGUMENT...: a campaign of hackbench; its verdict does not matter here.
measure()
{
	campaign=$1 runs=$2
	shift 2
	# shellcheck disable=SC2086
	"$assay" run hackbench $tiny --name "$campaign" --runs "$runs" "$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	case $code in 0 | 1 | 125) ;; *) fail "run ended with $code"; cat "$work/err" ;; esac
}

# ends_judged COMMAND...: it must end with a verdict, whichever.
ends_judged()
{
	"$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	case $code in 0 | 1 | 125) ;; *) fail "'$*' ended with $code"; cat "$work/out" "$work/err" ;; esac
}

# start NAME ARGUMENT...: a campaign of 8 short runs in the background as $pid, until two of them are kept.
start()
{
	name=$1
	shift
	"$assay" run getppid1 -p duration=0.3 -p warmup=0 --runs 4 -q --name "$name" "$@" >"$work/out" 2>"$work/err" &
	pid=$!
	tries=0
	while :; do
		kept=$("$assay" runs --campaign "$name" --json 2>/dev/null | grep -c '"run":')
		[ "$kept" -ge 2 ] && break
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { fail "no run was kept"; break; }
		sleep 0.1
	done
}

finish() { [ $failures -eq 0 ]; exit $?; }
