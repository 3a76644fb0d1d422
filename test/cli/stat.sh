#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers of anybody: the formats, the verdicts, and what is refused.
. "$(dirname "$0")/setup.sh"

# Ten values a side, 5 % apart, with a deviation of about 1 %.
base="100.3 99.1 100.9 98.7 101.2 99.6 100.0 100.7 98.9 99.8"
head="105.1 104.2 106.3 103.9 105.8 104.7 105.5 104.0 106.0 105.3"
for x in $base; do echo "$x"; done >base.txt
for x in $head; do echo "$x"; done >head.txt
{ echo base,head && paste -d, base.txt head.txt; } >both.csv

# The same numbers in every dress end alike.
"$assay" stat both.csv --json --better lower >"$work/want"
[ $? -eq 1 ] || fail "5 % slower is not worse"
join() { paste -sd, "$1"; }
echo "{\"head\": [$(join head.txt)], \"base\": [$(join base.txt)]}" >both.json
echo "[[$(join base.txt)], [$(join head.txt)]]" >arrays.json
echo "{\"results\": [{\"command\": \"a\", \"times\": [$(join base.txt)]}, {\"command\": \"b\", \"times\": [$(join head.txt)]}]}" >hyperfine.json
for side in base head; do
	sed 's/.*/BenchmarkCopy-2 10 & ns\/op/' $side.txt >$side.go
	{
		printf '{"context": {}, "benchmarks": ['
		sed 's/.*/{"name": "BM_Copy", "run_type": "iteration", "real_time": &, "time_unit": "ns"}/' $side.txt | paste -sd,
		echo ']}'
	} >$side.google
done
same()
{
	ends_with 1 "$assay" stat "$@" --json
	got=$(json '[d["verdict"], d["change_percent"], d["p"], d["n"]]')
	[ "$got" = "$(cp "$work/want" "$work/out" && json '[d["verdict"], d["change_percent"], d["p"], d["n"]]')" ] ||
		fail "'$*' gave $got"
}
same base.txt head.txt --better lower
same both.json --better lower
same arrays.json --better lower
same hyperfine.json
same base.go head.go
same base.google head.google
same both.csv --from csv --better lower

# The flat JSON, as promised.
cp "$work/want" "$work/out"
[ "$(json 'd["verdict"]')" = worse ] || fail "not worse"
[ "$(json '4 < d["change_percent"] < 6 and d["interval_percent"][0] < d["change_percent"] < d["interval_percent"][1]')" = True ] ||
	fail "the interval does not hold the change"
[ "$(json '0 < d["p"] < 0.01 and d["n"] == [10, 10] and bool(d["method"]) and not d["order_known"]')" = True ] || fail "p, n, method"
[ "$(json 'any("order" in w and "not known" in w for w in d["warnings"])')" = True ] || fail "not told that the order is not known"
[ "$(json 'any("builds" in w for w in d["warnings"])')" = True ] || fail "not told that builds are not replicated"

# Directions: nobody said, and the other way round.
ends_with 0 "$assay" stat both.csv --json
[ "$(json 'd["verdict"]')" = changed ] || fail "a change without a direction is not 'changed'"
ends_with 0 "$assay" stat both.csv --better higher
says "better"
says "! "

# Text: the sentence, both samples, the doubts.
ends_with 1 "$assay" stat both.csv --better lower
says "value is"
says "10 values, median"
says "builds or boots"

# Standard input, on either side.
ends_piped()
{
	want=$1
	from=$2
	shift 2
	"$assay" stat "$@" <"$from" >"$work/out" 2>"$work/err"
	code=$?
	[ $code -eq "$want" ] || { fail "'$*' of standard input ended with $code"; cat "$work/err"; }
}
ends_piped 1 head.txt base.txt - --better lower
ends_piped 1 both.csv - --better lower
ends_piped 129 both.csv - -
complains "standard input can be one side only"

# The methods, pairs and blocks.
for test in permutation welch mann-whitney; do
	ends_with 1 "$assay" stat both.csv --better lower --test $test
done
ends_with 1 "$assay" stat both.csv --better lower --paired --json
[ "$(json 'd["order_known"]')" = True ] || fail "pairs have an order"
{ echo block,base,head && paste -d, base.txt head.txt | awk '{ print int((NR - 1) / 2) "," $0 }'; } >blocks.csv
ends_with 1 "$assay" stat blocks.csv --better lower --blocks block --json
[ "$(json 'd["order_known"] and d["n"] == [10, 10]')" = True ] || fail "blocks"
ends_with 129 "$assay" stat blocks.csv --blocks block --paired
ends_with 129 "$assay" stat base.txt head.txt --blocks block
complains "name a column of a table"

# Builds count once: two a side decide nothing, however many runs they had.
{ echo build,base,head && paste -d, base.txt head.txt | awk '{ print NR % 2 "," $0 }'; } >builds.csv
ends_with 125 "$assay" stat builds.csv --better lower --builds build --test permutation --alpha 0.001 --json
[ "$(json 'd["n"] == [2, 2] and not any("builds or boots" in w for w in d["warnings"])')" = True ] || fail "builds are not averaged"

# Nothing changed: never worse. A wide margin makes it the same.
ends_with 0 "$assay" stat base.txt base.txt --better lower --margin 20 --json
[ "$(json 'd["verdict"]')" = same ] || fail "a sample is not the same as itself within 20 %"
ends_with 0 "$assay" stat base.txt base.txt --better lower --effect 20

# One number a side: no verdict, and why.
echo "1,2" >one.csv
ends_with 125 "$assay" stat one.csv --better lower --json
[ "$(json '[d["verdict"], d["p"], d["interval_percent"]]')" = "['undecided', None, None]" ] || fail "one number is judged"
[ "$(json 'bool(d["reason"]) and bool(d["warnings"])')" = True ] || fail "not told why one number is not judged"
ends_with 125 "$assay" stat one.csv

# Several metrics share one budget, and each has its object.
{ cat base.go && sed 's/.*/BenchmarkMove-2 10 & ns\/op 64 B\/op/' base.txt; } >several.old
{ cat head.go && sed 's/.*/BenchmarkMove-2 10 & ns\/op 64 B\/op/' base.txt; } >several.new
ends_with 1 "$assay" stat several.old several.new --json
[ "$(json '[p["metric"] for p in d]')" = "['Copy-2', 'Move-2 ns/op', 'Move-2 B/op']" ] || fail "metrics of several benchmarks"
[ "$(json 'd[0]["verdict"] == "worse" and d[1]["verdict"] != "worse"')" = True ] || fail "each has its verdict"
ends_with 1 "$assay" stat several.old several.new
says "3 judged: "
ends_with 1 "$assay" stat several.old several.new --metric 'Copy*' --json
[ "$(json 'd["metric"]')" = Copy-2 ] || fail "--metric"

# What is wrong is told with its place.
refused()
{
	text=$1
	shift
	ends_with 129 "$assay" stat "$@"
	complains "$text"
	[ -s "$work/out" ] && fail "'$*' printed something"
}
refused "assay: error: stat what? a file with both sides, or BASE and HEAD; '-' is standard input"
refused "cannot open 'nosuchfile': No such file" nosuchfile
printf '1\n2\nthree\n' >wrong.txt
refused "wrong.txt:3: 'three' is not a number; write one number a line" wrong.txt base.txt
printf 'a,b\n1,2\n3,x\n' >wrong.csv
refused "wrong.csv:3: 'x' in column 'b' is not a number" wrong.csv
printf '{"base": [1,\n 2' >wrong.json
refused "wrong.json:2: no JSON in column" wrong.json
printf 'BenchmarkX 1 2 ns/op\nBenchmarkX 1 2x ns/op\n' >wrong.go
refused "wrong.go:2: '2x' of X is not a number" wrong.go base.go
refused "holds one series, 'value', and a comparison takes two" base.txt
refused "option '--better' takes higher or lower" both.csv --better up
refused "unknown format 'xml', known are hyperfine" both.csv --from xml
refused "option '--test' takes permutation" both.csv --test t
refused "option '--sides' takes BASE,HEAD" both.csv --sides base
refused "has no series 'hed', only 'base', 'head'" both.csv --sides base,hed
echo 1 >one.txt
refused "pairs need as many values on both sides" base.txt one.txt --paired --from numbers
: >empty
refused "empty holds no numbers" empty base.txt

# What would be ignored, or contradicts itself, is refused.
refused "--test welch takes the sides as two heaps and cannot use --paired" both.csv --paired --test welch
refused "--test mann-whitney takes the sides as two heaps and cannot use --blocks" blocks.csv --blocks block --test mann-whitney
refused "'--effect 2' and '--margin 1' are one option under two names" both.csv --margin 1 --effect 2
ends_with 0 "$assay" stat base.txt base.txt --better lower --effect 20 --margin 20
refused "'base' of both.csv is named as both sides" both.csv --sides base,base
printf '{"base": [1, 2], "base": [3, 4], "head": [1, 2]}' >twice.json
refused "twice.json:1: two members of one object have the same name" twice.json
ends_judged "$assay" stat base.txt base.txt
says "both sides are one file, 'base.txt'"

# No measurement is lost for a head, and no two things are compared.
for first in inf 1e400 0x10 5ms 1_000; do
	printf '%s\n2\n3\n4\n' "$first" >first.txt
	refused "first.txt:1: a cell begins with '$first'" first.txt base.txt
done
echo time_ms >ms.csv && cat base.txt >>ms.csv
echo mem_kb >kb.csv && cat head.txt >>kb.csv
refused "the sides measure different things by their names: 'time_ms' against 'mem_kb'" ms.csv kb.csv
{ echo "base (s),head (ms)" && paste -d, base.txt head.txt; } >units.csv
refused "are in different units by their names" units.csv
seq -s, 300 >wide.csv
refused "wide.csv:1: the row has more than 256 cells" wide.csv
printf '1,1e308\n2,1\n3,2\n' >huge.csv
refused "huge.csv:1: 1e+308 in '2' is beyond what can be computed with" huge.csv
printf '1\n2\0\n' >nul.txt
refused "nul.txt is no text: byte 4 is NUL" nul.txt base.txt

# Runs that failed are left out and counted.
echo "{\"results\": [{\"command\": \"a\", \"times\": [$(join base.txt)], \"exit_codes\": [0,0,1,0,0,0,0,0,0,0]}, {\"command\": \"b\", \"times\": [$(join head.txt)]}]}" >failed.json
ends_judged "$assay" stat failed.json --json
[ "$(json 'd["n"] == [9, 10] and d["missing"] == [1, 0] and any("1 of 10 runs of \x27a\x27" in w for w in d["warnings"])')" = True ] ||
	fail "a failed run of hyperfine is judged"

# Long work is announced on a terminal, and only there.
awk 'BEGIN { for (i = 0; i < 1001; i++) print 100 + (i * 7919) % 101 / 50 }' >long.txt
on_terminal()
{
	python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$@" </dev/null >"$work/terminal" 2>&1
}
on_terminal "$assay" stat long.txt long.txt
grep -q "judging 1001 values a side" "$work/terminal" || fail "long work is not announced"
on_terminal "$assay" stat base.txt head.txt
grep -q "values a side; this" "$work/terminal" && fail "short work is announced"
ends_judged "$assay" stat long.txt long.txt
[ -s "$work/err" ] && fail "a pipe got a note"
[ ! -e "$XDG_DATA_HOME" ] || fail "a store was made"

# Numbers that others have published, where they are at hand.
cases=${ASSAY_TEST_CASES:-}/arrays
if [ -d "$cases" ]; then
	pick() { # FILE BASE HEAD: two series of such a file as one document.
		python3 - "$cases/$1" "$2" "$3" <<'TEXT'
import json, sys
series = {s["name"]: s["values"] for s in json.load(open(sys.argv[1]))["series"]}
print(json.dumps({"base": series[sys.argv[2]], "head": series[sys.argv[3]]}))
TEXT
	}
	# A finding 40 deviations wide that vanished when both kernels were built again.
	pick aim7_c0cef30e4f_8x8.json '3da90b159b14 (parent)' c0cef30e4ff0 >aim7.json
	ends_with 1 "$assay" stat aim7.json --better higher --json
	[ "$(json '-18.5 < d["change_percent"] < -17.6 and any("builds" in w for w in d["warnings"])')" = True ] || fail "aim7: -18 %, one build a side"
	# The counter moved, the time did not.
	pick hackbench_ivb_ep.json 'tip-a43455a1d57 local faults' 'tip local faults' >faults.json
	ends_with 0 "$assay" stat faults.json --json
	[ "$(json 'd["verdict"]')" = changed ] || fail "hackbench: local faults are $(json 'd["verdict"]')"
	pick hackbench_ivb_ep.json 'tip-a43455a1d57 total time' 'tip total time' >time.json
	ends_with 125 "$assay" stat time.json --better lower --json
	[ "$(json 'd["verdict"]')" = undecided ] || fail "hackbench: the time is $(json 'd["verdict"]')"
	# Five runs a side with deviations of 5 and 8 %, the head 11 % higher.
	pick specjbb_4node.json -a43455a1d57 tip/master >jbb.json
	ends_judged "$assay" stat jbb.json --better higher --json
	[ "$(json '10 < d["change_percent"] < 14 and d["verdict"] in ("undecided", "better")')" = True ] || fail "SPECjbb lists"
else
	echo "skipped: the published arrays are not here ($cases)"
fi
finish
