#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How a bisection begins: what is wrong is refused in front of the first build; earlier runs are used.
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/project.sh"

project 8 6
score='regex:score: ([0-9.]+)'

ends_with 129 "$assay" bisect
ends_with 129 "$assay" bisect good --repo repo --command ./bench
complains "two commits"
ends_with 129 "$assay" bisect good bad --repo repo
complains "--command"
ends_with 129 "$assay" bisect good bad --repo nowhere --command ./bench
complains "no repository"
ends_with 129 "$assay" bisect good nothing --repo repo --command ./bench
complains "'nothing' names no commit"
ends_with 129 "$assay" bisect bad good --repo repo --command ./bench
complains "older"
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --better higher
complains "--score"
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --better more
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score hackbench.time_sec
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --confidence 0.4
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --cost boot=3
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --name a/b
ends_with 128 "$assay" bisect replay

# The limit of runs is kept; what was measured is used by the next one, unless it is not wanted.
ends_with 125 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --max-runs 9 --seed 3 --name short -q
ends_with 129 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --name short -q
complains "short"
ends_judged "$assay" bisect good bad --repo repo --command ./bench --score "$score" --better lower --seed 4 --name long -q --json
is_json
[ "$(json 'd["cost"]["runs_from_store"] >= 8')" = True ] || fail "the runs of the store are not used"
[ "$(json 'd["changes"][0]["commits"][0]["subject"]')" = "change 6" ] || fail "another change is found"
ends_with 125 "$assay" bisect good bad --repo repo --command ./bench --score "$score" --max-runs 2 --afresh -q --json
[ "$(json 'd["cost"]["runs_from_store"]')" = 0 ] || fail "--afresh uses runs of the store"

finish
