#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Care for the store: check, backup, merge, gc; and damage is found.
. "$(dirname "$0")/setup.sh"

ends_with 128 "$assay" store check
measure one 2 --subject base --subject head:param.ipc=pipe
ends_with 0 "$assay" store check
says "sound"
ends_with 0 "$assay" store check --json
is_json
[ "$(json 'd["bad"]')" = 0 ] || fail "a sound store has findings"

mkdir copy
ends_with 0 "$assay" store backup copy/assay.sqlite
says "copy/assay.sqlite"
ends_with 128 "$assay" store backup copy/assay.sqlite # It is there already.
ends_with 0 "$assay" runs --store copy --json
[ "$(json 'len(d)')" = 4 ] || fail "the copy has not all runs"

# Two stores become one, and merging again brings nothing new.
ends_with 0 "$assay" run getppid1 -p duration=0.05 -p warmup=0 --runs 1 -q --name other --store second
ends_with 0 "$assay" store merge second
says "1 run taken"
ends_with 0 "$assay" store merge second --json
[ "$(json 'd["runs"]')" = 0 ] || fail "a run was taken twice"
ends_with 0 "$assay" runs --json
[ "$(json 'len(d)')" = 5 ] || fail "merge did not bring the run"
ends_with 128 "$assay" store merge /nonexistent

ends_with 0 "$assay" rm --campaign one
ends_with 0 "$assay" store gc
says "KiB freed"
ends_with 0 "$assay" store check

# Damage in the middle of the file is told, and is no verdict.
dd if=/dev/zero of=copy/assay.sqlite bs=4096 seek=4 count=3 conv=notrunc 2>/dev/null
ends_with 128 "$assay" store check --store copy

ends_with 129 "$assay" store
ends_with 129 "$assay" store gc now
finish
