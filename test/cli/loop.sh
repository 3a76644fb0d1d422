#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A loop of one's own: each kind of score, several of them, and what is wrong.
. "$(dirname "$0")/setup.sh"

run() { "$assay" run "$@" --runs 2 -q --monitor none; }

ends_with 0 run --command true
says "command.time_sec"
ends_with 0 run --command 'echo 12.5 MB/s' --score 'regex:([0-9.]+) MB/s,unit=MB/s,better=higher,name=my.speed'
says "my.speed"
says "12.5 MB/s"
ends_with 0 run --command "printf '{\"a\":[{\"b\":7}]}'" --score json:/a/0/b --json
is_json
[ "$(json 'd[0]["scores"][0]["mean"]')" = 7.0 ] || fail "the pointer found something else"
printf 'name,value\nx,3\ny,4\n' >table.csv
ends_with 0 run --command 'cat table.csv' --score 'csv:value,pick=last' --score time --score 'regex:x,([0-9]),name=x.value'
says "command.score"
says "x.value"
says "command.time_sec"
ends_with 125 run --command 'echo nothing' --score 'regex:([0-9]+)'
says "the output has no 'command.score'"

# The direction that the score says decides; --better goes before it.
compare() { "$assay" run --command 'echo 100' --subject base --subject "head:param.program=echo 50" --score 'regex:([0-9]+),better=higher' --runs 8 -q --monitor none "$@"; }
ends_with 1 compare
says "worse"
ends_with 0 compare --better lower
says "better"

# A comma in the command is one.
ends_with 0 run --command 'echo 1,5' --score 'regex:1,([0-9])'
says "command.score"

for wrong in "--score time" "getppid1 --command true" "--command true --command false" "--command true --score regx:(a)" \
	"--command true --score regex:(a),unti=s" "--command true --score regex:a" "--command true --score json:a" \
	"--command true --score regex:(a),better=up" "--command true --score csv:" "--command true -p score=xml:a"; do
	# shellcheck disable=SC2086
	ends_with 129 "$assay" run $wrong
	complains "assay: error:"
done
finish
