#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-headers passes headers that stand alone and names the one that does not; format --check names the file that
# is not laid out.
set -eu

tree=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
CC=${2:-cc}
export CC

fail() {
	echo "FAILED: $1"
	exit 1
}

mkdir -p "$copy/src/base" "$copy/test"
printf '#pragma once\n#include <stddef.h>\nsize_t one(void);\n' >"$copy/src/base/one.h"
"$tree/tools/check-headers" "$copy" >"$copy/said" 2>&1 || fail "a header that stands alone: $(cat "$copy/said")"
printf '#pragma once\nsize_t two(void);\n' >"$copy/src/base/two.h"
if "$tree/tools/check-headers" "$copy" >"$copy/said" 2>&1; then
	fail 'a header that leans on others is accepted'
fi
grep -q 'src/base/two.h: does not compile alone' "$copy/said" || fail "$(cat "$copy/said")"

if ! command -v clang-format >/dev/null 2>&1 || ! clang-format --version | grep -q 'version 14\.'; then
	echo "skipped: no clang-format 14 here"
	exit 0
fi
cp "$tree/.clang-format" "$copy/"
printf 'int  one ;\n' >"$copy/src/base/one.c"
if "$tree/tools/format" --check "$copy/src/base/one.c" >"$copy/said" 2>&1; then
	fail 'a file that is not laid out is accepted'
fi
grep -q 'one.c: is not as clang-format' "$copy/said" || fail "$(cat "$copy/said")"
"$tree/tools/format" "$copy/src/base/one.c"
"$tree/tools/format" --check "$copy/src/base/one.c" >"$copy/said" || fail "$(cat "$copy/said")"
[ "$(cat "$copy/src/base/one.c")" = 'int one;' ] || fail 'the file was not formatted'
echo "headers and formats are checked"
