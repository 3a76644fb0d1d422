#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-manuals passes a small right set of pages and finds each kind of fault when it is planted there.
set -eu

tree=$1
command -v mandoc >/dev/null || { echo "there is no mandoc here"; exit 77; }
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fail() {
	echo "FAILED: $1"
	exit 1
}

page() { # $1: file, $2: name, $3: section, $4: example
	cat >"$1" <<TEXT
.\\" SPDX-License-Identifier: GPL-2.0-or-later
.Dd November 30, 2026
.Dt $(echo "$2" | tr a-z A-Z) $3
.Os
.Sh NAME
.Nm $2
.Nd a page
.Sh DESCRIPTION
Text.
.Sh EXAMPLES
.Dl $ $4
.Sh SEE ALSO
.Xr other 1
TEXT
}

# A program with one command and its pages: one written whole, one that the build filled.
plant() {
	rm -rf "$copy/tree"
	mkdir -p "$copy/tree/tools" "$copy/tree/man" "$copy/tree/build/man" "$copy/tree/build/src/cli" "$copy/tree/build/src/probe"
	cp "$tree/tools/check-manuals" "$copy/tree/tools"
	cat >"$copy/tree/build/src/cli/assay" <<'TEXT'
#!/bin/sh
case $1 in
help) printf '  grow   make it larger\n  help   this\n' ;;
grow) printf 'options:\n  -n, --number N   how much\n  -h, --help   this\n' ;;
esac
TEXT
	printf '#!/bin/sh\necho "  --fd N"\n' >"$copy/tree/build/src/probe/assay-probe"
	chmod +x "$copy/tree/build/src/cli/assay" "$copy/tree/build/src/probe/assay-probe"
	page "$copy/tree/man/assay.1" assay 1 'assay grow --number 3 -n 4 | head --lines=1'
	: >"$copy/tree/man/assay-grow.1.in"
	page "$copy/tree/build/man/assay-grow.1" assay-grow 1 'assay-probe --fd 1'
}

check() { "$copy/tree/tools/check-manuals" "$copy/tree/build" >"$copy/said" 2>&1; }

finds() { # $1: what must be said of the planted fault
	if check; then fail "a fault is not found: $1"; fi
	grep -q -- "$1" "$copy/said" || fail "wanted '$1', got: $(cat "$copy/said")"
}

plant
check || fail "right pages are refused: $(cat "$copy/said")"

plant
page "$copy/tree/man/assay.1" assay 1 'assay grow --nubmer 3'
finds "assay.1: the example .* has the unknown --nubmer"
plant
page "$copy/tree/man/assay.1" assay 1 'assay grow -x'
finds "has the unknown -x"
plant
page "$copy/tree/man/assay.1" assay 1 'assay shrink'
finds "has the unknown command shrink"
plant
page "$copy/tree/build/man/assay-grow.1" assay-grow 1 'assay-probe --df 1'
finds "has the unknown --df"
if command -v groff >/dev/null; then
	plant
	printf '.Rs\n.%%T An example\n.Re\n' >>"$copy/tree/man/assay.1"
	finds "assay.1:.*cannot chop empty macro"
fi
plant
rm "$copy/tree/build/man/assay-grow.1"
finds "assay grow has no page assay-grow.1"
finds "assay-grow.1.in: was not built"
plant
echo ".Xr assay-nowhere 7" >>"$copy/tree/man/assay.1"
finds "refers to assay-nowhere(7), which is not there"
plant
sed -i '/^\.Sh SEE ALSO/,$d' "$copy/tree/man/assay.1"
finds "has no section SEE ALSO"
plant
echo "@OPTIONS grow@" >>"$copy/tree/build/man/assay-grow.1"
finds "the placeholder @OPTIONS grow@ was not filled"
plant
echo ".Nosuchmacro" >>"$copy/tree/man/assay.1"
finds "unknown macro"
if "$copy/tree/tools/check-manuals" "$copy" >"$copy/said" 2>&1; then fail "a folder without a build is taken"; fi
