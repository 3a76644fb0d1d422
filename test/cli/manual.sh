#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# manual.sh ASSAY SOURCES PAGES: the pages that the rows fill tell of every command, option, workload, monitor and
# parameter, and the examples of the pages are command lines that the program takes.
. "$(dirname "$0")/setup.sh"
sources=$2 pages=$3

# tells PAGE LINE: the page has this line, whole.
tells() { grep -qxE -- "$2" "$pages/$1" || fail "$1 has no line '$2'"; }

for kind in workload monitor; do
	"$assay" list ${kind}s --json >"$work/out"
	names=$(json '"\n".join(p["name"] for p in d if not p["adapter"])')
	[ -n "$names" ] || fail "there are no ${kind}s"
	for name in $names; do tells assay-$kind.7 "\.Ss $name"; done
	for name in $(json '"\n".join(q["name"] for p in d if not p["adapter"] for q in p["parameters"])'); do tells assay-$kind.7 "\.It Cm $name( , .*)?"; done
	json '"\n".join(q["name"] for p in d if not p["adapter"] for q in p["metrics"])' >"$work/metrics"
	while read -r name; do
		grep -qF -- "$name" "$pages/assay-$kind.7" || fail "assay-$kind.7 does not tell of the metric '$name'"
	done <"$work/metrics"
done

guards=$("$assay" completion query -- 3 assay compare --explain '')
[ -n "$guards" ] || fail "there are no guards"
for guard in $guards; do tells assay-guards.7 "\.Ss $guard"; done

for command in $("$assay" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	tells assay.1 "\.It Cm $command"
	case $command in help | version) continue ;; esac
	tells assay.1 "\.Xr assay-$command 1( ,)?"
	for option in $("$assay" "$command" --help | sed -n 's/^ *\(-[a-z], \)* *--\([a-z-]*\).*/\2/p'); do
		tells "assay-$command.1" "\.It (Fl . .*)?Fl Fl $option( Ar .*)?"
	done
done

# Examples of `assay run`, also those of the README, are planned; the options of all others are taken apart, and --help stops them there.
cd "$sources/.." || exit 1
grep -hE '^\.Dl [$#] assay ' "$sources"/*.in | sed 's/^\.Dl [$#] assay //; s/\\e/\\/g; s/ [|>].*//' >"$work/examples"
# A remark behind an example would swallow the --dry-run, and the campaign would be run.
sed -n 's/^    \(sudo \)*assay //; T; s/ \{1,\}# .*//; p' README.md >>"$work/examples"
planned=0
while IFS= read -r line; do
	# The lines are quoted as a shell reads them.
	case $line in
	run\ *)
		planned=$((planned + 1))
		# Not every machine has the settings of every example; the plan is made all the same.
		eval "\"\$assay\" $line --dry-run" >"$work/out" 2>"$work/err" </dev/null
		grep -q '^order (seed' "$work/out" || { fail "no plan of '$line'"; cat "$work/err"; }
		;;
	*) eval "ends_with 0 \"\$assay\" $line --help" ;;
	esac
done <"$work/examples"
[ $planned -ge 12 ] || fail "only $planned examples of 'assay run' were found"
[ ! -e "$XDG_DATA_HOME" ] || fail "an example made a store"
finish
