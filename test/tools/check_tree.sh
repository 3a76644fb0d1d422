#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-tree passes a small right tree and finds each kind of fault when it is planted there.
set -eu

tree=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
spdx='SPDX-License-Identifier: GPL-2.0-or-later'

fail() {
	echo "FAILED: $1"
	exit 1
}

plant() {
	rm -rf "$copy/src" "$copy/test" "$copy/docs"
	mkdir -p "$copy/src/base" "$copy/test/base" "$copy/src/workload" "$copy/test/workload" "$copy/docs"
	printf '/* %s */\nint one(void)\n{\n\treturn 1;\n}\n' "$spdx" | tee "$copy/src/base/one.c" >"$copy/test/base/one.c"
	printf '/* %s */\n#pragma once\n' "$spdx" >"$copy/src/base/one.h"
	printf "# %s\nworkloads = [\n  'brk1',\n]\n" "$spdx" >"$copy/src/workload/meson.build"
	printf '/* %s */\n' "$spdx" | tee "$copy/src/workload/brk1.c" >"$copy/test/workload/table.c"
}

# $1: what must be said.
finds() {
	if "$tree/tools/check-tree" "$copy" >"$copy/said"; then
		fail "this was not found: $1"
	fi
	grep -q "$1" "$copy/said" || fail "not '$1' but: $(cat "$copy/said")"
}

lines() {
	i=0
	while [ $i -lt "$1" ]; do
		echo "	i++;"
		i=$((i + 1))
	done
}

plant
"$tree/tools/check-tree" "$copy" >"$copy/said" || fail "a right tree is refused: $(cat "$copy/said")"
grep -q '1 functions, median 2 lines' "$copy/said" || fail "the figures are wrong: $(cat "$copy/said")"

plant; rm "$copy/test/base/one.c"; finds 'src/base/one.c: no test/base/one.c'
plant; rm "$copy/test/workload/table.c"; finds 'no test/workload/table.c'
plant; echo 'int two;' >"$copy/src/base/one.h"; finds 'src/base/one.h:1: the first line must be'
plant; printf '/* %s */\n' "$spdx" >"$copy/src/base/one.h"; finds 'lacks #pragma once'
plant; echo 'int two; // a comment' >>"$copy/src/base/one.c"; finds 'src/base/one.c:6: a // comment'
plant; lines 500 >>"$copy/src/base/one.c"; finds '505 lines, at most 500'
plant; lines 150 >>"$copy/src/base/one.h"; finds '152 lines, at most 150'
plant; { printf 'void long_one(void)\n{\n'; lines 60; echo '}'; } >>"$copy/src/base/one.c"; finds 'long_one() has 61 lines'
plant; mkdir "$copy/src/helpers"; finds 'src/helpers: the name says nothing'
plant; printf '/* %s */\n' "$spdx" | tee "$copy/src/base/util.c" >"$copy/test/base/util.c"; finds 'src/base/util.c: the name'
plant; echo 'see ../shared/cases' >"$copy/docs/a.md"; finds 'docs/a.md:1: names a place outside'
plant; echo 'foreach' >"$copy/src/base/meson.build"; finds 'src/base/meson.build:1'

# What only looks like a fault is none: // inside a string or a comment, functions of exactly the limit.
plant
printf 'const char *url = "http://x"; /* and // here, and \x27 */\n' >>"$copy/src/base/one.c"
{ printf 'void just(void)\n{\n'; lines 59; echo '}'; } >>"$copy/src/base/one.c"
"$tree/tools/check-tree" "$copy" >"$copy/said" || fail "no fault is called one: $(cat "$copy/said")"
echo "faults of the tree are found"
