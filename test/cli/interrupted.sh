#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C and kill -9 lose no run that was kept, resume goes on, and settings come back.
. "$(dirname "$0")/setup.sh"

start() # ARGUMENT...: a campaign of 8 short runs in the background, until two of them are kept
{
	"$assay" run getppid1 -p duration=0.3 -p warmup=0 --runs 4 -q "$@" >"$work/out" 2>"$work/err" &
	pid=$!
	tries=0
	while :; do
		kept=$("$assay" runs --campaign "$name" --json 2>/dev/null | grep -c '"run":')
		[ "$kept" -ge 2 ] && break
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { fail "no run was kept"; break; }
		sleep 0.1
	done
}

name=stopped
start --name $name --subject base --subject twin
kill -INT $pid
wait $pid
code=$?
[ $code -eq 130 ] || { fail "Ctrl-C ended with $code, not 130"; cat "$work/err"; }
complains "assay resume $name"
ends_with 0 "$assay" runs --campaigns
says "unfinished"

name=killed
start --name $name --subject base --subject twin
kill -9 $pid
wait $pid 2>/dev/null
"$assay" runs --campaign $name --json >"$work/out"
before=$(json '[r["run"] for r in d if r["outcome"] == "complete"]')
sleep 0.5
# No probe outlives the killed assay.
if pgrep -f -- "assay-probe.*--workload getppid1.*$work" >/dev/null; then fail "a probe lives on"; fi

for name in stopped killed; do
	"$assay" resume $name -q >"$work/out" 2>"$work/err"
	case $? in 0 | 1 | 125) ;; *) fail "resume ended badly"; cat "$work/err" ;; esac
	ends_with 0 "$assay" runs --campaign $name --json
	[ "$(json 'sum(r["outcome"] == "complete" for r in d)')" = 8 ] || fail "$name has not its 8 runs after resume"
done
[ "$(json "set($before) <= set(r['run'] for r in d)")" = True ] || fail "a kept run is gone"

# A setting is there during the run and gone after it, also after kill -9 and a new start.
knob=/proc/sys/vm/stat_interval
if [ "$(id -u)" = 0 ] && [ -w $knob ]; then
	was=$(cat $knob)
	name=setting
	start --name $name --subject base:vm.stat_interval=$((was + 1)) --subject twin:vm.stat_interval=$((was + 1))
	[ "$(cat $knob)" = $((was + 1)) ] || sleep 0.2
	kill -9 $pid
	wait $pid 2>/dev/null
	ends_with 0 "$assay" run getppid1 -p duration=0.1 -p warmup=0 --runs 1 -q
	[ "$(cat $knob)" = "$was" ] || { fail "the setting was not restored"; echo "$was" >$knob; }
else
	echo "the part with settings is skipped: it needs root"
fi
finish
