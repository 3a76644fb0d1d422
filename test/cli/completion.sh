#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts are whole in their shells, and bash completes what stands behind '=' and ':'.
. "$(dirname "$0")/setup.sh"

PATH=$(dirname "$assay"):$PATH
export PATH
for shell in bash fish zsh; do
	ends_with 0 "$assay" completion $shell
	cp "$work/out" script.$shell
	if command -v $shell >/dev/null; then
		$shell -n script.$shell || fail "$shell does not take its script"
	else
		echo "$shell is not here: its script was not tried"
	fi
done

# completes LINE WORD CANDIDATES: bash has LINE up to the cursor, and WORD of it is what it takes for the word.
completes()
{
	have=$(bash -c '. ./script.bash; COMP_LINE=$1 COMP_POINT=${#1}; _assay assay "$2" x; echo "${COMPREPLY[*]}"' bash "$1" "$2")
	[ "$have" = "$3" ] || fail "'$1' completes to '$have', not '$3'"
}

if command -v bash >/dev/null; then
	completes "assay ru" "ru" "run runs"
	completes "assay run hackb" "hackb" "hackbench"
	completes "assay run hackbench -p " "" "groups= fds= loops= size= ipc= mode="
	completes "assay run hackbench -p ipc=p" "p" "pipe"
	completes "assay run hackbench -p ipc=" "" "socket pipe inet"
	completes "assay compare a b --format l" "l" "lkp"
	completes "assay run nosuch" "nosuch" ""
fi

# A query never fails and never complains: a shell is no place for that.
ends_with 0 "$assay" completion query -- 99 assay
ends_with 0 "$assay" completion query -- x
[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail "a wrong query says something"
ends_with 129 "$assay" completion
ends_with 129 "$assay" completion tcsh
finish
