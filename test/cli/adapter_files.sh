#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Adapters of one's own: found without a rebuild, run, compared, and refused with their place.
. "$(dirname "$0")/setup.sh"

own=$HOME/.config/assay/adapters
mkdir -p "$own"
cat >"$own/echoing.yaml" <<'TEXT'
adapter: echoing
what: says a number
program: echo
package: coreutils
version: 9.1
semantics: 2
parameters:
  number: {what: what it says, type: number, default: 5, least: 1, most: 900}
  way: {what: how it says it, type: word, default: plain, words: {plain: '', twice: 'and 1 MB/s'}}
start: [echo, 'speed {number} MB/s', '{way...}']
scores:
  - {name: echoing.speed, regex: 'speed ([0-9.]+) MB/s', unit: MB/s, better: higher, what: as said}
TEXT

ends_with 0 "$assay" list workloads echoing
says "says a number"
ends_with 0 "$assay" list metrics 'echoing*'
says "echoing.speed"
ends_with 0 "$assay" list workloads --json
is_json
ends_with 0 "$assay" help echoing
says "in Debian's package coreutils"
says "regex speed ([0-9.]+) MB/s"
ends_with 0 "$assay" run echoing -p number=7,9 --runs 2 -q --monitor none --name first
says "echoing.speed"
says "echoing/number=9/way=plain"
ends_with 0 "$assay" runs --campaign first --json
[ "$(json 'sorted(set(r["outcome"] for r in d))')" = "['complete']" ] || fail "a run is not complete"
ends_with 0 "$assay" run echoing -p number=7 --dry-run --json
is_json

# Judged: the direction is the adapter's.
ends_with 1 "$assay" run echoing --subject base:param.number=100 --subject head:param.number=50 --monitor none -q --runs 8 --name second
says "echoing.speed"
says "worse"
ends_with 0 "$assay" show 1
says "echoing.speed"

# What is wrong is told with its place, where it is asked for; everything else works on.
ends_with 129 "$assay" run echoing -p number=901
complains "the most is 900"
ends_with 129 "$assay" run echoing -p numbr=9
complains "did you mean 'number'?"
sed 's/better: higher/better: highr/' "$own/echoing.yaml" >"$own/other.yaml"
ends_with 129 "$assay" run other
complains "other.yaml:12:"
complains "did you mean 'higher'?"
ends_with 0 "$assay" list workloads other
says "cannot be read"
ends_with 0 "$assay" list workloads getppid1
sed 's/default: 5/default: five/' "$own/echoing.yaml" >"$own/other.yaml"
ends_with 129 "$assay" help other
complains "other.yaml:8:"

# Two of one name: the second of a folder is refused, one that is named goes before the person's own.
cp "$own/echoing.yaml" "$own/other.yaml"
ends_with 129 "$assay" run other
complains "the adapter 'echoing' is described twice: in '$own/echoing.yaml' and in '$own/other.yaml'"
rm "$own/other.yaml"
sed 's/says a number/says it in another way/' "$own/echoing.yaml" >given.yaml
ends_with 0 "$assay" list workloads echoing --adapter given.yaml
says "in another way"
ends_with 129 "$assay" list workloads --adapter given.yaml --adapter given.yaml
complains "described twice"
ends_with 129 "$assay" run echoing --adapter nothing.yaml
complains "cannot read the adapter 'nothing.yaml': No such file"
sed 's/adapter: echoing/adapter: hackbench/' "$own/echoing.yaml" >given.yaml
ends_with 129 "$assay" run hackbench --adapter given.yaml
complains "is the name of a workload of assay's own"

# A program that is not there is unsupported, with the package that has it.
sed 's/: echo$/: no-such-program/; s/\[echo,/[no-such-program,/' "$own/echoing.yaml" >given.yaml
ends_with 125 "$assay" run echoing --adapter given.yaml --runs 1 -q --monitor none
says "unsupported: 'no-such-program' is not installed; Debian has it in the package coreutils"

# A run without its score has failed and keeps its output; an output that was cut gives no score.
sed "s/regex: 'speed/regex: 'spede/" "$own/echoing.yaml" >given.yaml
ends_with 125 "$assay" run echoing --adapter given.yaml --runs 1 -q --monitor none --name lost
says "failed: the output has no 'echoing.speed'"
last=$("$assay" runs --campaign lost --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["run"])')
ends_with 0 "$assay" show "$last" --log
says "speed 5 MB/s"
ends_with 125 "$assay" run --command "sh -c 'echo speed 5; yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -n 40000'" --score 'regex:speed ([0-9]+)' --runs 1 -q --monitor none
says "the output is too long and was cut"

finish
