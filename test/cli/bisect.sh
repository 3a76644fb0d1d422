#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A change is found between two commits of a git repository, killed and gone on with, replayed and logged; the repository
# stays as it is.
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/project.sh"

project 24 15
picture before
culprit=$(git -C repo log --format=%H --grep='^change 15$' bad)

# Killed after its first runs, as by a crash.
"$assay" bisect good bad --repo repo --command ./bench --score 'regex:score: ([0-9.]+)' --better lower --seed 5 \
	--name hunt --quiet >"$work/out" 2>"$work/err" </dev/null &
pid=$!
tries=0
until [ "$("$assay" runs --campaign hunt --json 2>/dev/null | grep -c '"run":')" -ge 6 ]; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || { fail "no run was kept"; cat "$work/err"; break; }
	sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
kept=$("$assay" runs --campaign hunt --json 2>/dev/null | grep -c '"run":')

# What is not done says so; an ordinary resume points here.
ends_with 125 "$assay" bisect replay hunt
says "not done yet"
ends_with 129 "$assay" resume hunt
complains "assay bisect resume hunt"

ends_with 0 "$assay" bisect resume
says "the change was brought by"
says "change 15"
says "confirmed"
says "product: it changes what is built (stands)"
says "revert: the bad end without it"
complains "good |"
complains "next: "
[ "$("$assay" runs --campaign hunt --json 2>/dev/null | grep -c '"run":')" -gt "$kept" ] || fail "nothing was added to what was kept"
cp "$work/out" "$work/first"

# The same decision out of the store, also in another store on another day.
ends_with 0 "$assay" bisect replay hunt
cmp -s "$work/out" "$work/first" || { fail "the replay differs"; diff "$work/first" "$work/out"; }
mv repo moved
ends_with 0 "$assay" store merge "$work/data/assay" --store other
ends_with 0 "$assay" bisect replay hunt --store other
cmp -s "$work/out" "$work/first" || { fail "the replay elsewhere differs"; diff "$work/first" "$work/out"; }
mv moved repo
ends_with 0 "$assay" bisect replay --json
is_json
[ "$(json 'd["changes"][0]["commits"][0]["id"]')" = "$culprit" ] || fail "another commit is accused in JSON"
[ "$(json '(d["accused"], d["done"], d["changes"][0]["confirmed"])')" = "(True, True, True)" ] || fail "the JSON is not that of a found change"

ends_with 0 "$assay" bisect log hunt
says "good $(git -C repo rev-parse good)"
says "bad $(git -C repo rev-parse bad)"
says "# done"

# Runs are runs of assay; a finished bisection has nothing left.
ends_with 0 "$assay" bisect resume hunt --quiet
cmp -s "$work/out" "$work/first" || fail "resuming what is finished gives another result"
ends_with 129 "$assay" bisect resume
complains "not finished"

picture after
cmp -s before after || { fail "the repository was changed"; diff before after | head; }

finish
