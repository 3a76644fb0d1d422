#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment from the command line and from a file: plan, runs, order, names, verdict.
. "$(dirname "$0")/setup.sh"

measure first 3 --subject base --subject head:param.ipc=pipe --seed 7
says "hackbench.time_sec"
ends_with 0 "$assay" runs --json
is_json
[ "$(json 'len(d)')" = 6 ] || fail "there are not 6 runs"
[ "$(json 'sorted(set(r["outcome"] for r in d))')" = "['complete']" ] || fail "a run is not complete"

# The same seed gives the same order.
ends_with 0 "$assay" run hackbench --subject base --subject head:param.ipc=pipe --runs 3 --seed 7 --dry-run --json
is_json
planned=$(json '[d["jobs"][r["job"]]["subject"] for r in d["runs"]]')
ends_with 0 "$assay" runs --json
[ "$(json '[r["subject"] for r in d]')" = "$planned" ] || fail "the order is not the seed's"

# A campaign's name that was given is taken only once; the name in a file is there at each run of the file.
measure_again() { "$assay" run getppid1 -p duration=0.05 -p warmup=0 --runs 1 -q --name first; }
ends_with 129 measure_again
complains "assay resume first"

# A session that the time ended says so, whatever else is not told: something is left to do.
ends_judged "$assay" run getppid1 -p duration=0.3 -p warmup=0 --runs 20 --monitor none --subject base --subject head:env.X=1 --max-time 1s --name short -q
complains "the time is spent"
complains "assay resume short"

cat >here.yaml <<TEXT
name: from-file
workload: {getppid1: {duration: 0.05, warmup: 0}}
subjects: {only: }
runs: 1
monitors: [mpstat]
TEXT
cat >asked.in <<TEXT
question: what does it cost?
workload: {getppid1: {duration: 0.05, warmup: 0}}
SUBJECTS
runs: 2
monitors: none
TEXT
ends_with 0 "$assay" run here.yaml -q
says "will-it-scale.per_process_ops"
ends_with 0 "$assay" run here.yaml -q
complains "a campaign 'from-file' already"
ends_with 0 "$assay" runs --campaigns --json
[ "$(json 'sum(c["campaign"].startswith("from-file") for c in d)')" = 2 ] || fail "the file's second campaign is missing"

# The question stands on the report, of one subject and of several.
sed "s/SUBJECTS/subjects: {only: }/" asked.in >asked.yaml
ends_with 0 "$assay" run asked.yaml -q
says "question: what does it cost?"
ends_with 0 "$assay" run asked.yaml -q --json
is_json
sed "s/SUBJECTS/subjects: {base: , twin: }/" asked.in >asked.yaml
ends_judged "$assay" run asked.yaml -q
says "question: what does it cost?"

# An experiment that is ready is found by its name, a workload of that name goes first, and so does a path.
mkdir ready
cp here.yaml ready/mine.yaml
cp here.yaml ready/getppid1.yaml
ends_with 0 env ASSAY_EXPERIMENTS="$work/ready" "$assay" run mine --dry-run
says "getppid1"
says "1 run, "
ends_with 0 env ASSAY_EXPERIMENTS="$work/ready" "$assay" run getppid1 --dry-run
says "10 runs, "
ends_with 129 env ASSAY_EXPERIMENTS="$work/ready" "$assay" run yours --dry-run
ends_with 129 env ASSAY_EXPERIMENTS="$work/ready" "$assay" run mine -p nr_task=2

# A sweep over nr_task tells its scalability and the idle time beside it, of one subject and of several.
sweep="-p nr_task=1,2,50% -p duration=0.2 -p warmup=0 -p pin=none -q"
# shellcheck disable=SC2086
ends_with 0 "$assay" run getppid1 $sweep --runs 2 --name swept
says "scalability (operations per second of all tasks / (tasks x those of one task))"
says "  idle "
# shellcheck disable=SC2086
ends_with 0 "$assay" run getppid1 $sweep --runs 2 --name swept-json --json
is_json
[ "$(json '[p["scalability"]["nr_task"] for p in d][:2]')" = "[1, 2]" ] || fail "no scalability of a sweep"
[ "$(json 'all(p["scalability"]["state"] == "known" for p in d)')" = True ] || fail "a scalability is missing"
# shellcheck disable=SC2086
ends_judged "$assay" run getppid1 $sweep --runs 5 --subject base --subject head:env.X=1 --name swept-pair
says "nr_task scalability   95 % interval idle %  subject  point"
ends_judged "$assay" compare swept-pair/base swept-pair/head --json
[ "$(json '[[s["nr_task"] for s in p["scalability"]] for p in d][:2]')" = "[[1, 1], [2, 2]]" ] || fail "no scalability of both sides"
ends_with 0 "$assay" run getppid1 -p nr_task=2,3 -p duration=0.1 -p warmup=0 --runs 1 -q --name without
says "missing (the sweep has no complete run with nr_task=1)"

# A plan is made for another machine when it is asked for.
mkdir -p there/sys/devices/system/cpu
echo 0-47 >there/sys/devices/system/cpu/online
ends_with 0 "$assay" run getppid1 -p nr_task=50% --dry-run --root there
says "nr_task=24 (50%)"

# What the command line says goes before the file.
ends_with 0 "$assay" run here.yaml --runs 3 --dry-run --json
[ "$(json 'len(d["runs"])')" = 3 ] || fail "--runs does not go before the file"
ends_with 129 "$assay" run here.yaml -p nr_task=2
ends_with 129 "$assay" run here.yaml --subject other

# Until decided: whole blocks, no more than the most, and a comparison afterwards says what the run said.
decide() { "$assay" run hackbench -p groups=1 -p fds=2 -p loops=20 --subject base --subject head:param.ipc=pipe --json "$@"; }
ends_judged decide --name decided --max-runs 8 --seed 5
cp "$work/out" said
ends_judged "$assay" compare base head --json
cmp -s "$work/out" said || { fail "a comparison says something else than the run"; diff said "$work/out"; }
ends_with 0 "$assay" runs --campaign decided --json
[ "$(json 'len(d)')" = 16 ] || fail "8 runs a side are not 16"
ends_with 0 "$assay" runs --campaigns --json
[ "$(json '[c["runs_not_needed"] for c in d if c["campaign"] == "decided"]')" = "[0]" ] || fail "no run was spared"

# A twin of the base and a warm-up block are kept, and are no part of what is judged.
ends_judged decide --name shared --runs 4 --aa 20% --warm-up-block -q
[ "$(json 'len(d[0]["sides"])')" = 2 ] || fail "a twin is judged as a head"
ends_with 0 "$assay" runs --campaign shared --json
[ "$(json 'sum(r["subject"] == "base (A/A)" and r["sequence"] < 10 for r in d)')" = 2 ] || fail "there are not 2 runs of the twin"
[ "$(json 'sum(r["sequence"] >= 10 for r in d) in (4, 6)')" = True ] || fail "no block warmed up"
[ "$(json 'all((r["sequence"] >= 10) == (r["block"] >= 2**31) for r in d)')" = True ] || fail "warm-up blocks are not told"
warm=$(json '[r["run"] for r in d if r["sequence"] >= 10][0]')
ends_with 0 "$assay" show "$warm"
says "a warm-up block, never judged"
ends_with 0 "$assay" runs --campaigns
says "10 of 10"
ends_judged "$assay" compare base "base (A/A)" # For those who ask.
ends_judged "$assay" compare shared/base "shared/base (A/A)"

# Monitors are those that were asked for.
ends_with 0 "$assay" run getppid1 -p duration=0.05 -p warmup=0 --runs 1 -q --name few --monitor meminfo,time
ends_with 0 "$assay" runs --campaign few --json
ends_with 0 "$assay" show "$(json 'd[0]["run"]')" --all
says "meminfo.MemFree"
says "will-it-scale.time.user_time"
if grep -q "proc-vmstat" "$work/out"; then fail "a monitor was read that nobody asked for"; fi

# One subject is summed up, as JSON too.
ends_with 0 "$assay" run getppid1 -p duration=0.05 -p warmup=0 --runs 2 -q --json
is_json
[ "$(json 'd[0]["complete"]')" = 2 ] || fail "the sum does not have both runs"

# A dry run makes nothing, and says what stands in the way.
# What needs two nodes is marked where one is allowed, and what does not need them is told so.
ends_with 0 "$assay" run numa01 -p memory_mib=1 --allow-one-node --runs 1 --dry-run --json
is_json
[ "$(json 'd["jobs"][0]["parameters"]["one_node"]')" = allow ] || fail "one node is not allowed"
ends_with 129 "$assay" run getppid1 --allow-one-node --dry-run
complains "need two NUMA nodes"

ends_with 129 "$assay" run getppid1 --subject base --subject head:kernel=v6.12 --dry-run --store elsewhere
says "order (seed"
complains "no place yet that boots a kernel"
[ ! -e elsewhere ] || fail "a dry run made a store"

# A run that takes too long has failed.
ends_with 125 "$assay" run command -p "program=sleep 20" --runs 1 -q --time-limit 1s
says "hung"
# A limit of file size is a failure that is told (128), not a death by signal.
# shellcheck disable=SC2086
(ulimit -f 8; "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 1 -q --store "$work/limited") >out 2>err
code=$?
[ $code -eq 128 ] || { fail "under a file size limit run ended with $code, not 128"; cat err; }
complains "assay: error:"
finish
