/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay doctor` as it is called: of a recorded tree, of this machine, and wrongly. */
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "cli/command.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

/* Runs the command with its standard output in a file; gives the exit code and what it printed. */
static int call(int argc, const char *const *argv, char *output, size_t size)
{
	char *copies[8];
	struct parsed *parsed = NULL;
	struct error err = { 0 };
	char path[] = "/tmp/assay-doctor-XXXXXX";
	CHECK(argc < 8);
	for (int i = 0; i < argc; i++)
		copies[i] = mem_text(argv[i]);
	copies[argc] = NULL;
	CHECK_INT(options_parse(command_doctor.options, argc, copies, &parsed, &err), 0);
	const int file = mkstemp(path);
	const int saved = dup(STDOUT_FILENO);
	CHECK(file >= 0 && saved >= 0);
	(void)unlink(path);
	(void)fflush(stdout);
	CHECK(dup2(file, STDOUT_FILENO) >= 0);
	const int code = command_doctor.run(parsed);
	(void)fflush(stdout);
	CHECK(dup2(saved, STDOUT_FILENO) >= 0);
	(void)close(saved);
	CHECK(fs_pread_all(file, output, size) >= 0);
	(void)close(file);
	options_free(parsed);
	for (int i = 0; i < argc; i++)
		free(copies[i]);
	return code;
}

static void write_file(const char *root, const char *folder, const char *name, const char *text)
{
	char path[256];
	(void)snprintf(path, sizeof(path), "%s/%s", root, folder);
	CHECK_INT(fs_make_dirs(path, 0755, NULL), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/%s", root, folder, name);
	CHECK_INT(fs_replace(path, text, strlen(text), 0644, NULL), 0);
}

static void a_recorded_machine_is_examined(void **state)
{
	char root[] = "/tmp/assay-root-XXXXXX";
	char output[16384];
	char remove[64];
	(void)state;
	CHECK(mkdtemp(root) != NULL);
	write_file(root, "proc/sys/kernel", "osrelease", "6.9.1-test\n");
	write_file(root, "sys/devices/system/cpu", "online", "0\n");
	write_file(root, "sys/devices/system/cpu/cpu0/cpufreq", "scaling_governor", "powersave\n");
	CHECK_INT(
		call(3, (const char *const[]) { "doctor", "--root", root }, output, sizeof(output)),
		0);
	CHECK_HOLDS(output, "Linux 6.9.1-test");
	CHECK_HOLDS(output, "noisy  governor: the frequency governor is powersave");
	CHECK_HOLDS(output, "mend: echo performance");
	CHECK_HOLDS(output, "note   few-cpus");
	CHECK_HOLDS(output, "0 wrong, 1 noisy, 1 to note");
	CHECK(strstr(output, "\033[") == NULL); /* No colours into a file. */
	(void)snprintf(remove, sizeof(remove), "rm -rf '%s'", root);
	CHECK_INT(system(remove), 0);
}

static void an_empty_tree_is_a_healthy_patient(void **state)
{
	char root[] = "/tmp/assay-root-XXXXXX";
	char output[4096];
	(void)state;
	CHECK(mkdtemp(root) != NULL);
	CHECK_INT(
		call(3, (const char *const[]) { "doctor", "--root", root }, output, sizeof(output)),
		0);
	CHECK_HOLDS(output, "Nothing found");
	CHECK_INT(rmdir(root), 0);
}

static void this_machine_is_examined_into_json(void **state)
{
	char output[65536];
	json_error_t where;
	(void)state;
	CHECK_INT(call(2, (const char *const[]) { "doctor", "--json" }, output, sizeof(output)), 0);
	json_t *document = json_loads(output, 0, &where);
	CHECK(document != NULL);
	const json_t *findings = json_object_get(document, "findings");
	CHECK(json_is_array(findings));
	const json_int_t sum = json_integer_value(json_object_get(document, "wrong")) +
			       json_integer_value(json_object_get(document, "noisy")) +
			       json_integer_value(json_object_get(document, "notes"));
	CHECK_INT(json_array_size(findings), sum);
	CHECK(json_is_string(json_object_get(document, "kernel")));
	for (size_t i = 0; i < json_array_size(findings); i++)
		CHECK(json_is_string(json_object_get(json_array_get(findings, i), "mend")));
	json_decref(document);
}

static void wrong_calls_are_refused(void **state)
{
	char output[1024];
	(void)state;
	CHECK_INT(call(2, (const char *const[]) { "doctor", "me" }, output, sizeof(output)),
		  EXIT_USAGE);
	CHECK_TEXT(output, "");
	CHECK_INT(call(3, (const char *const[]) { "doctor", "--root", "/nowhere/at/all" }, output,
		       sizeof(output)),
		  EXIT_SURROUNDINGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_machine_is_examined),
		cmocka_unit_test(an_empty_tree_is_a_healthy_patient),
		cmocka_unit_test(this_machine_is_examined_into_json),
		cmocka_unit_test(wrong_calls_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
