#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The version, and how it was built.
. "$(dirname "$0")/setup.sh"

ends_with 0 "$assay" version --json
is_json
version=$(json 'd["version"]') compiler=$(json 'd["compiler"]')
ends_with 0 "$assay" version
says "assay $version ($compiler, "
cp "$work/out" whole
for word in --version -V; do
	ends_with 0 "$assay" $word
	cmp -s whole "$work/out" || fail "$word says something else"
done
finish
