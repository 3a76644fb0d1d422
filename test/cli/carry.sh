#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Carrying a campaign out: Ctrl-C ends it with what was kept, progress is told, and settings come back in every case.
. "$(dirname "$0")/setup.sh"

start stopped --subject base --subject twin
kill -INT $pid
wait $pid
code=$?
[ $code -eq 130 ] || { fail "Ctrl-C ended with $code, not 130"; cat "$work/err"; }
complains "assay resume stopped"
ends_with 0 "$assay" runs --campaigns
says "unfinished"

start terminated --subject base --subject twin
kill -TERM $pid
wait $pid
code=$?
[ $code -eq 130 ] || fail "SIGTERM ended with $code, not 130"

# Plain lines of progress where there is no terminal, and none when it is to be quiet.
ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 1
complains "[1/1] getppid1 base, about 0 s left"
ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 1 --quiet
[ ! -s "$work/err" ] || { fail "it is not quiet:"; cat "$work/err"; }

# A workload that cannot work is a kept run and "cannot say", told also when quiet.
ends_with 125 "$assay" run command -p program=/bin/false --runs 1 -q
says "exit code 1"
complains "exit code 1"

# No probe, and nothing of a run, outlives assay, also when it is killed.
start killed --subject base --subject twin
kill -9 $pid
wait $pid 2>/dev/null
sleep 0.5
if pgrep -f -- "assay-probe.*--workload getppid1.*$work" >/dev/null; then fail "a probe lives on"; fi

# A setting is there during the run and gone after it, also after Ctrl-C, and after kill -9 and a new start.
knob=/proc/sys/vm/stat_interval
if [ "$(id -u)" = 0 ] && [ -w $knob ]; then
	was=$(cat $knob)
	set="vm.stat_interval=$((was + 1))"
	ends_judged "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 2 -q -s "base:$set" -s head:param.nr_task=2
	[ "$(cat $knob)" = "$was" ] || fail "the setting was not restored"
	start held --subject "base:$set" --subject "twin:$set"
	# Between two runs it is restored for a moment.
	tries=0
	while [ "$(cat $knob)" != $((was + 1)) ] && [ $tries -lt 50 ]; do
		tries=$((tries + 1))
		sleep 0.02
	done
	[ $tries -lt 50 ] || fail "the setting was not applied"
	kill -INT $pid
	wait $pid
	[ "$(cat $knob)" = "$was" ] || fail "the setting was not restored after Ctrl-C"
	start crashed --subject "base:$set" --subject "twin:$set"
	kill -9 $pid
	wait $pid 2>/dev/null
	ends_with 0 "$assay" doctor
	says "wrong  leftovers: a crashed run left settings applied: $knob"
	for looking in "runs" "show 1" "compare stopped/base stopped/twin"; do
		# shellcheck disable=SC2086
		"$assay" $looking >"$work/out" 2>"$work/err"
		complains "$knob"
	done
	ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 1 -q
	complains "assay: 1 setting that a crashed run had left applied was restored"
	ends_with 0 "$assay" runs
	[ ! -s "$work/err" ] || { fail "what was restored is still told:"; cat "$work/err"; }
	[ "$(cat $knob)" = "$was" ] || { fail "the setting was not restored after kill -9"; echo "$was" >$knob; }
else
	echo "the part with settings is skipped: it needs root"
fi
finish
