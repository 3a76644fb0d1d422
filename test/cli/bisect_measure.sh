#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is measured: a program whose score depends on where its functions lie is layout and nobody's fault; an exit code
# finds a broken commit.
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/project.sh"

mkdir repo && cd repo && git init -q . || exit 1
git config user.name tester && git config user.email tester@localhost
# The score is 100, and 120 when hot() does not begin at a multiple of 64 bytes; padding() moves it.
cat >bench.c <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include "padding.h"
__attribute__((noinline)) int hot(int x)
{
	return x * 3 + 1;
}
int main(int argc, char **argv)
{
	double noise = (double)(getpid() % 100) / 100.0;
	printf("score: %.3f\n", ((uintptr_t)&hot % 64 ? 120.0 : 100.0) + noise);
	return hot(argc) < 0 || (argc > 1 && PADDED);
}
EOF
cat >padding.h <<'EOF'
#define PADDED 0
__asm__(".p2align 6");
EOF
printf 'bench: bench.c padding.h\n\tcc -O1 -fno-toplevel-reorder -o bench bench.c\n' >Makefile
commit start && git tag good
echo one >>notes.txt; commit 'a note'
echo two >>notes.txt; commit 'another note'
echo 'int padding(int x) { return x + x; }' >>padding.h; commit 'move it'
echo three >>notes.txt; commit 'a third note'
echo four >>notes.txt; commit 'a fourth note'
git tag bad
cd .. || exit 1

ends_with 125 "$assay" bisect good bad --repo repo --command ./bench --score 'regex:score: ([0-9.]+)' --better lower -q
says "no commit is accused: what was found is layout"
says "move it"
says "no function's body changed"

# The same repository by an exit code: from some commit on the command fails.
(cd repo && git checkout -q -b flag && sed -i 's/PADDED 0/PADDED 1/' padding.h && commit 'fail with an argument' && echo five >>notes.txt && commit 'a last note')
ends_with 0 "$assay" bisect good flag --repo repo --command './bench x' -q --json
is_json
[ "$(json 'd["changes"][0]["commits"][0]["subject"]')" = "fail with an argument" ] || fail "the exit code accuses another commit"
[ "$(json 'd["scale"]')" = "share of failures" ] || fail "it is not judged by shares"

finish
