#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers from elsewhere: a name that is known has its direction, any other stays unknown.
. "$(dirname "$0")/setup.sh"

numbers() { printf '{"base": {"%s": [10, 11, 10, 11, 10, 11, 10, 11]}, "head": {"%s": [20, 21, 20, 21, 20, 21, 20, 21]}}' "$1" "$1" >numbers.json; }

verdict() { numbers "$1"; "$assay" stat numbers.json --json >out.json 2>err.txt; grep -o '"verdict": *"[a-z]*"' out.json | head -n 1; }

case $(verdict vm-scalability.throughput) in *better*) ;; *) fail "a known name has no direction"; cat out.json err.txt ;; esac
case $(verdict kbuild.buildtime_per_iteration) in *worse*) ;; *) fail "a time that grows is not worse"; cat out.json err.txt ;; esac
case $(verdict fio.read_iops) in *better*) ;; *) fail "an adapter's score has no direction"; cat out.json err.txt ;; esac
case $(verdict somebody.s_number) in *changed*) ;; *) fail "an unknown name has a direction"; cat out.json err.txt ;; esac
ends_with 0 "$assay" list metrics 'vm-scalability*'
says "higher"
finish
