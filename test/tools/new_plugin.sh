#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A new plug-in is one file and one word: made in a copy of the tree, it compiles without a warning, stands at its
# place in the list, and keeps the layers. Arguments: the tree, the compiler.
set -eu

tree=$1
compiler=${2:-cc}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/src"
cp -r "$tree/tools" "$copy/"
cp -r "$tree/src/base" "$tree/src/record" "$tree/src/workload" "$tree/src/monitor" "$copy/src/"
TREE=$copy
export TREE

fail() {
	echo "FAILED: $1"
	exit 1
}

compiles() {
	(cd "$copy" && $compiler -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wconversion -Werror \
		-Wno-missing-field-initializers -Isrc -c -o "$copy/object" "$1") || fail "$1 does not compile"
}

# The words on both sides of $1 in the list of the room $2.
neighbours() {
	grep -A1 -B1 "^  '$1',\$" "$copy/src/$2/meson.build" | tr -d " ',\n"
}

refuses() {
	if "$copy/tools/new-$1" "$2" >"$copy/said" 2>&1; then
		fail "new-$1 '$2' was accepted"
	fi
	grep -q "$3" "$copy/said" || fail "new-$1 '$2' does not say '$3': $(cat "$copy/said")"
}

"$copy/tools/new-workload" madvise-dontneed >"$copy/said"
grep -q 'src/workload/madvise_dontneed.c' "$copy/said" || fail 'the file is not named'
grep -q 'workload/table' "$copy/said" || fail 'the test is not named'
compiles src/workload/madvise_dontneed.c
case $(neighbours madvise_dontneed workload) in
*madvise_dontneedmalloc*) ;;
*) fail "the list is not sorted: $(neighbours madvise_dontneed workload)" ;;
esac

"$copy/tools/new-monitor" lock-stat >"$copy/said"
compiles src/monitor/lock_stat.c
grep -q "^  'lock-stat',\$" "$copy/src/monitor/meson.build" || fail 'the monitor is not in the list'
grep -q 'const struct monitor monitor_lock_stat' "$copy/src/monitor/lock_stat.c" || fail 'the row has another name'

"$copy/tools/check-layers" "$copy" >"$copy/said" || fail "$(cat "$copy/said")"
if command -v clang-format >/dev/null 2>&1 && clang-format --version | grep -q 'version 14\.'; then
	cp "$tree/.clang-format" "$copy/"
	"$copy/tools/format" "$copy/src/workload/madvise_dontneed.c" "$copy/src/monitor/lock_stat.c"
	compiles src/workload/madvise_dontneed.c
fi

refuses workload madvise-dontneed 'there already'
refuses workload Madvise 'no name'
refuses workload ../evil 'no name'
refuses monitor 'a b' 'no name'
refuses monitor '' 'no name'
[ ! -e "$copy/src/workload/Madvise.c" ] || fail 'a refused name left a file'
echo "new plug-ins compile and stand at their places"
