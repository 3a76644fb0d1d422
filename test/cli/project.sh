#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts that bisect, behind setup.sh: git repositories whose program prints a score that does not
# depend on the machine. Its noise comes from a generator in the program, seeded by a counter beside the repository.
export GIT_CONFIG_NOSYSTEM=1 XDG_CACHE_HOME="$work/cache" COUNTER="$work/counter"

commit() { git add . && git commit -qm "$1"; }

# project N SLOW: a C program with N commits behind the tag good. Commit SLOW adds 6 to a score of 100 whose noise is
# uniform within 4; the one behind it changes a comment, the one in front only adds a function; the fourth does not build.
project()
{
	mkdir "$work/repo" && cd "$work/repo" && git init -q . || exit 1
	git config user.name tester && git config user.email tester@localhost
	cat >bench.c <<-'EOF'
		#include <stdio.h>
		#include <stdlib.h>
		#include "level.h"
		static unsigned counter(void)
		{
			const char *path = getenv("COUNTER");
			unsigned count = 0;
			FILE *file = path ? fopen(path, "r") : 0;
			if (file) {
				if (fscanf(file, "%u", &count) != 1)
					count = 0;
				fclose(file);
			}
			file = path ? fopen(path, "w") : 0;
			if (file) {
				fprintf(file, "%u", count + 1);
				fclose(file);
			}
			return count;
		}
		int main(void)
		{
			unsigned seed = (counter() + 1) * 2654435769u;
			seed ^= seed >> 15;
			seed *= 2246822519u;
			seed ^= seed >> 13;
			printf("score: %.3f\n", 100.0 + LEVEL + (double)(seed % 8000) / 1000.0);
			return 0;
		}
	EOF
	echo '#define LEVEL 0.0' >level.h
	printf 'bench: bench.c level.h more.c\n\tcc -O1 -g -o bench bench.c more.c\n' >Makefile
	echo 'int more(void) { return 0; }' >more.c
	commit start && git tag good
	i=1
	while [ $i -le "$1" ]; do
		case $i in
		4) echo 'this does not build' >more.c ;;
		5) echo 'int more(void) { return 0; }' >more.c ;;
		"$2") echo '#define LEVEL 6.0' >level.h ;;
		$(($2 + 1))) echo '/* Only words. */' >>bench.c ;;
		*) echo "int more_$i(int x) { return x * $i; }" >>more.c ;;
		esac
		commit "change $i"
		i=$((i + 1))
	done
	git tag bad
	cd "$work" || exit 1
}

# picture FILE: everything that is in the repository, with its times.
picture() { (cd "$work" && find repo -printf '%p %T@ %m\n' && find repo -type f -exec sha256sum {} +) | sort >"$1"; }

# measured_project N SLOW: the program works for some hundredths of a second and prints its own CPU time; commit SLOW
# makes it work 3 % longer. Commits 40 and 90 do not build, 60 only moves functions, of which none is measured, the one behind SLOW is a comment.
measured_project()
{
	mkdir "$work/repo" && cd "$work/repo" && git init -q . || exit 1
	git config user.name tester && git config user.email tester@localhost
	cat >bench.c <<-'EOF'
		#include <stdio.h>
		#include <time.h>
		#include "rounds.h"
		int main(void)
		{
			struct timespec time;
			volatile unsigned sum = 1;
			for (unsigned i = 0; i < ROUNDS * 100000u; i++)
				sum = sum * 1664525u + 1013904223u;
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
			printf("seconds: %ld.%09ld\n", (long)time.tv_sec, time.tv_nsec);
			return 0;
		}
	EOF
	echo '#define ROUNDS 300' >rounds.h
	printf 'bench: bench.c rounds.h more.c\n\tcc -O1 -o bench bench.c more.c\n' >Makefile
	echo 'int more(void) { return 0; }' >more.c
	commit start && git tag good
	i=1
	while [ $i -le "$1" ]; do
		what="change $i"
		case $i in
		40 | 90) echo 'this does not build' >>more.c ;;
		41 | 91) sed -i '$d' more.c ;;
		60) sed -i '1i int moved(int x) { return x / 3; }' more.c ;;
		"$2") echo '#define ROUNDS 309' >rounds.h && what='slow it' ;;
		$(($2 + 1))) echo '/* Only words. */' >>bench.c ;;
		*) echo "$i" >>notes ;;
		esac
		commit "$what"
		i=$((i + 1))
	done
	git tag bad
	cd "$work" || exit 1
}
