#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs are removed as they are named, all or none of them.
. "$(dirname "$0")/setup.sh"

# left EXPRESSION: the numbers of the runs that the store has.
left()
{
	ends_with 0 "$assay" runs --json
	have=$(json '[r["run"] for r in d]')
	[ "$have" = "$1" ] || fail "$have are left, not $1"
}

measure one 2 --subject base --subject head:param.ipc=pipe
measure two 1
left "[1, 2, 3, 4, 5]"
ends_with 0 "$assay" rm 1
says "1 run removed"
left "[2, 3, 4, 5]"
ends_with 129 "$assay" show 1
ends_with 129 "$assay" rm 1
ends_with 129 "$assay" rm 2 1 # One of them is not there: none goes.
complains "none was removed"
left "[2, 3, 4, 5]"
ends_with 0 "$assay" rm 2 run:2 --json # Named twice.
is_json
[ "$(json 'd["removed"]')" = 1 ] || fail "it does not say what it removed"
ends_with 129 "$assay" rm 3x
ends_with 129 "$assay" rm --campaign nosuch
ends_with 129 "$assay" rm 5 --campaign one # It belongs to another.
left "[3, 4, 5]"
ends_with 0 "$assay" rm --campaign one
left "[5]"
ends_with 0 "$assay" runs --campaigns --json
[ "$(json '[c["campaign"] for c in d]')" = "['two']" ] || fail "the empty campaign is still there"
finish
