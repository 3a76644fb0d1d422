/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading ELF files. */
#include "revision/elf_file.h"

#include "check.h"
#include "revision/repository.h"

#include <errno.h>

static void hash_of(const struct repository *repository, const char *name, const char *hide,
		    char *ret_hex)
{
	char path[160];
	struct error err = { 0 };
	AUTO(elf_file) struct elf_file *elf = NULL;
	(void)snprintf(path, sizeof(path), "%s/%s", repository->path, name);
	CHECK_INT(elf_file_read(path, &elf, &err), 0);
	elf_file_hash(elf, hide, ret_hex);
}

static void comments_and_debugging_data_do_not_count(void **state)
{
	struct repository repository;
	char one[CHECKSUM_SHA256_HEX];
	char other[CHECKSUM_SHA256_HEX];
	char changed[CHECKSUM_SHA256_HEX];
	repository_make(&repository,
			"echo 'int main(void) { return 1; }' >a.c; cc -g -o one a.c;\n"
			"{ echo '/* Longer. */'; cat a.c; } >b.c; mv b.c a.c; cc -g -o other a.c;\n"
			"cmp -s one other && exit 1; sed -i s/1/2/ a.c; cc -g -o changed a.c");
	hash_of(&repository, "one", "", one);
	hash_of(&repository, "other", "", other);
	hash_of(&repository, "changed", "", changed);
	CHECK_TEXT(one, other);
	CHECK(strcmp(one, changed) != 0);
	repository_done(&repository);
}

static void the_folder_of_the_build_does_not_count(void **state)
{
	struct repository repository;
	char one[CHECKSUM_SHA256_HEX];
	char other[CHECKSUM_SHA256_HEX];
	repository_make(
		&repository,
		"mkdir d1 d2; echo 'const char *f = __FILE__; int main(void) { return 0; }' "
		">d1/a.c; cp d1/a.c d2; for d in d1 d2; do cc -o $d/a $PWD/$d/a.c; done");
	hash_of(&repository, "d1/a", "/d1", one);
	hash_of(&repository, "d2/a", "/d2", other);
	CHECK_TEXT(one, other);
	hash_of(&repository, "d2/a", "", other);
	CHECK(strcmp(one, other) != 0);
	repository_done(&repository);
}

static void functions_tell_how_they_are_aligned(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	char path[160];
	AUTO(elf_file) struct elf_file *elf = NULL;
	repository_make(&repository,
			"echo 'int f(void) { return 1; } int g(void) { return 2; }' >a.c;"
			"cc -shared -fPIC -nostdlib -falign-functions=64 -O1 -o a.so a.c");
	(void)snprintf(path, sizeof(path), "%s/a.so", repository.path);
	CHECK_INT(elf_file_read(path, &elf, &err), 0);
	CHECK_INT(elf->n_functions, 2);
	CHECK_TEXT(elf->functions[0].name, "f");
	CHECK_NEAR(elf_file_aligned(elf, 64), 1.0, 0.0);
	CHECK_NEAR(elf_file_aligned(elf, 1ULL << 40), 0.0, 0.0);
	repository_done(&repository);
}

static void what_is_no_program_or_is_torn_is_refused(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	char path[160];
	AUTO(elf_file) struct elf_file *elf = NULL;
	repository_make(&repository,
			"echo text >text; echo 'int main(void) { return 0; }' >a.c; cc -o a a.c;"
			"head -c 3000 a >torn; printf '\\177ELF' >short");
	static const char *const names[] = { "text", "torn", "short", "absent" };
	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", repository.path, names[i]);
		CHECK_INT(elf_file_read(path, &elf, &err), -ENOEXEC);
	}
	repository_done(&repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_debugging_data_do_not_count),
		cmocka_unit_test(the_folder_of_the_build_does_not_count),
		cmocka_unit_test(functions_tell_how_they_are_aligned),
		cmocka_unit_test(what_is_no_program_or_is_torn_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
