#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-layers passes a small right tree and finds each kind of wrong include when it is planted there.
set -eu

tree=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fail() {
	echo "FAILED: $1"
	exit 1
}

# A small tree with one right include.
plant() {
	rm -rf "$copy/src"
	mkdir -p "$copy/src/base" "$copy/src/stats" "$copy/src/workload" "$copy/src/record" "$copy/src/store"
	echo '#include "base/text.h"' >"$copy/src/stats/rank.c"
	printf "workloads = [\n  'brk1',\n  'mmap1',\n]\n" >"$copy/src/workload/meson.build"
	: >"$copy/src/workload/brk1.c"
	: >"$copy/src/workload/mmap1.h"
}

plant
"$tree/tools/check-layers" "$copy" >"$copy/said" || fail "a right tree is refused: $(cat "$copy/said")"

# $1: file, $2: include, $3: what must be said.
finds() {
	plant
	mkdir -p "$(dirname "$copy/src/$1")"
	printf '/* One. */\n#include %s\n' "$2" >"$copy/src/$1"
	if "$tree/tools/check-layers" "$copy" >"$copy/said"; then
		fail "$1 may include $2"
	fi
	grep -q "src/$1:2: .*$3" "$copy/said" || fail "$1 including $2: $(cat "$copy/said")"
}

finds base/text.c '"record/run.h"' 'base may not include record'
finds store/get.c '"stats/rank.h"' 'store may not include stats'
finds stats/rank.c '<stdio.h>' 'arithmetic only'
finds stats/rank.c '<sys/stat.h>' 'arithmetic only'
finds stats/rank.c '"base/clock.h"' 'arithmetic only'
finds base/text.c '"text.h"' 'lacks its room'
finds base/text.c '"../base/text.h"' 'no room'
finds base/text.c '"helpers/text.h"' 'no room'
finds workload/brk1.c '"workload/mmap1.h"' 'plug-in brk1 includes the plug-in mmap1'
finds workload/brk1.c '"monitor/monitor.h"' 'workload may not include monitor'

plant
mkdir "$copy/src/helpers"
if "$tree/tools/check-layers" "$copy" >"$copy/said"; then
	fail 'a room without an arrow is accepted'
fi
grep -q 'src/helpers: not a room' "$copy/said" || fail "$(cat "$copy/said")"

# The table of the tool is the table of the document.
if [ -e "$tree/ARCHITECTURE.md" ]; then
	sed -n 's/^\([a-z]*\)  *← .*/\1/p' "$tree/ARCHITECTURE.md" | while read -r room; do
		grep -q "^    \"$room\": " "$tree/tools/check-layers" || fail "$room of ARCHITECTURE.md is not in the tool"
	done
fi
echo "wrong arrows are found"
