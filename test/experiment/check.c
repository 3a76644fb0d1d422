/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of single pieces: what passes, and the sentence of what does not. */
#include "experiment/check.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "check.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>

static void names_are_words_of_a_command_line(void **state)
{
	static const char *const right[] = { "base", "v6.12-rc1+", "a_b", "6.1", "_x", "HEAD" };
	static const char *const wrong[] = { "",    "a/b", "a b", "a@b",         "a:b",  "a,b",
					     "a=b", "-a",  ".a",  "caf\xc3\xa9", "a\nb", "a*" };
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		CHECK_INT(check_name("subject", right[i], NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK_INT(check_name("subject", wrong[i], NULL), -EINVAL);
	char longest[66] = { 0 };
	memset(longest, 'x', 64);
	CHECK_INT(check_name("subject", longest, NULL), 0);
	longest[64] = 'x';
	CHECK_INT(check_name("subject", longest, NULL), -EINVAL);
}

static void values_are_held_against_the_parameters_row(void **state)
{
	static const struct {
		const struct plugin *plugin;
		const char *parameter;
		const char *text;
		const char *sentence; /* NULL: it passes. */
	} rows[] = {
		{ &fake_hackbench, "groups", "1", NULL },
		{ &fake_hackbench, "groups", "1000", NULL },
		{ &fake_hackbench, "groups", "cpus*100000", NULL }, /* Only the machine knows. */
		{ &fake_hackbench, "groups", "500*2+1",
		  "groups=500*2+1 is too large, the most is 1000" },
		{ &fake_hackbench, "groups", "0", "groups=0 is too small, the least is 1" },
		{ &fake_hackbench, "groups", "3-4", "groups=3-4: the result is negative" },
		{ &fake_hackbench, "groups", "", "'groups' has no value" },
		{ &fake_hackbench, "ipc", "pipe", NULL },
		{ &fake_hackbench, "ipc", "Pipe", "unknown ipc 'Pipe', did you mean 'pipe'?" },
		{ &fake_hackbench, "ipc", "x", "unknown ipc 'x', known are socket, pipe, inet" },
		{ &fake_hackbench, "ipc", "socket pipe",
		  "unknown ipc 'socket pipe', known are socket, pipe, inet" },
		{ &fake_page_fault1, "nr_task", "50%", NULL },
		{ &fake_page_fault1, "duration", "1", NULL },
		{ &fake_page_fault1, "duration", "1.25", NULL },
		{ &fake_page_fault1, "duration", "3600", NULL },
		{ &fake_page_fault1, "duration", "3600.5",
		  "duration=3600.5 is too large, the most is 3600" },
		{ &fake_page_fault1, "warmup", "0", NULL },
		{ &fake_page_fault1, "duration", "nan",
		  "duration=nan is no number of seconds such as 0.5 or 10 (without a unit)" },
		{ &fake_page_fault1, "duration", "1e3",
		  "duration=1e3 is no number of seconds such as 0.5 or 10 (without a unit)" },
		{ &fake_page_fault1, "duration", ".5",
		  "duration=.5 is no number of seconds such as 0.5 or 10 (without a unit)" },
		{ &fake_command, "program", "sleep 1", NULL },
		{ &fake_command, "program", "", NULL },
		{ &fake_command, "program", "a\xff", "not UTF-8: 'a\xff'" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { 0 };
		unsigned column = 0;
		const int answer =
			check_value(plugin_parameter_find(rows[i].plugin, rows[i].parameter),
				    rows[i].text, &column, &err);
		CHECK_INT(answer, rows[i].sentence ? -EINVAL : 0);
		CHECK_TEXT(err.text, rows[i].sentence ? rows[i].sentence : "");
	}
}

static void a_value_is_one_line_of_limited_length(void **state)
{
	const struct parameter *program = plugin_parameter_find(&fake_command, "program");
	unsigned column;
	AUTO(text) char *text = mem_zero(CHECK_VALUE_BYTES_MAX + 2);
	memset(text, 'x', CHECK_VALUE_BYTES_MAX);
	CHECK_INT(check_value(program, text, &column, NULL), 0);
	text[CHECK_VALUE_BYTES_MAX] = 'x';
	CHECK_INT(check_value(program, text, &column, NULL), -EINVAL);
	CHECK_INT(check_value(program, "a\nb", &column, NULL), -EINVAL);
	CHECK_INT(check_value(program, "a\tb", &column, NULL), 0);
}

static void keys_of_settings_are_paths_that_stay_below_their_root(void **state)
{
	static const struct {
		enum setting_kind kind;
		const char *key;
		bool right;
	} rows[] = {
		{ SETTING_SYSCTL, "vm.numa_stat", true },
		{ SETTING_SYSCTL, "net.ipv4.conf.eth0/100.forwarding", true },
		{ SETTING_SYSCTL, "vm", false },
		{ SETTING_SYSCTL, "", false },
		{ SETTING_SYSCTL, ".vm.x", false },
		{ SETTING_SYSCTL, "vm.x.", false },
		{ SETTING_SYSCTL, "vm/numa_stat", false },
		{ SETTING_SYSCTL, "vm./x", false },
		{ SETTING_SYSCTL, "vm.x y", false },
		{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/enabled", true },
		{ SETTING_SYSFS, "/sys/kernel/mm/ksm/run", true },
		{ SETTING_SYSFS, "devices/system/cpu/cpu0/online", true },
		{ SETTING_SYSFS, "/etc/passwd", false },
		{ SETTING_SYSFS, "kernel/../../etc/passwd", false },
		{ SETTING_SYSFS, "../etc/passwd", false },
		{ SETTING_SYSFS, "/sys//etc/passwd", false },
		{ SETTING_SYSFS, "kernel", false },
		{ SETTING_SYSFS, "kernel/mm/", false },
		{ SETTING_ENV, "FOO_1", true },
		{ SETTING_ENV, "_x", true },
		{ SETTING_ENV, "1FOO", false },
		{ SETTING_ENV, "FOO BAR", false },
		{ SETTING_ENV, "FOO=", false },
		{ SETTING_ENV, "", false },
		{ SETTING_CGROUP, "memory.max", true },
		{ SETTING_CGROUP, "memory", false },
		{ SETTING_CGROUP, "../memory.max", false },
		{ SETTING_PREFIX, "", true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (check_setting_key(rows[i].kind, rows[i].key, NULL) !=
		    (rows[i].right ? 0 : -EINVAL))
			fail_msg("%s '%s'", setting_kind_text(rows[i].kind), rows[i].key);
}

static void values_of_settings_have_their_forms(void **state)
{
	static const struct {
		enum setting_kind kind;
		const char *value;
		bool right;
	} rows[] = {
		{ SETTING_SYSCTL, "4096 87380 6291456", true },
		{ SETTING_SYSCTL, "", false },
		{ SETTING_ENV, "", true },
		{ SETTING_PREFIX, "taskset -c 0", true },
		{ SETTING_PREFIX, "", false },
		{ SETTING_GOVERNOR, "performance", true },
		{ SETTING_GOVERNOR, "very fast", false },
		{ SETTING_IDLE, "C1,C1E", true },
		{ SETTING_IDLE, "all", true },
		{ SETTING_IDLE, "C1 C1E", false },
		{ SETTING_INSTANCES, "node", true },
		{ SETTING_INSTANCES, "socket:bound", true },
		{ SETTING_INSTANCES, "2", true },
		{ SETTING_INSTANCES, "1024:bound", true },
		{ SETTING_INSTANCES, "1025", false },
		{ SETTING_INSTANCES, "0", false },
		{ SETTING_INSTANCES, "node:", false },
		{ SETTING_INSTANCES, "node:tied", false },
		{ SETTING_INSTANCES, "node:bound:bound", false },
		{ SETTING_BINARY, "/usr/bin/true", true },
		{ SETTING_BINARY, "a\nb", false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (check_setting_value(rows[i].kind, rows[i].value, NULL) !=
		    (rows[i].right ? 0 : -EINVAL))
			fail_msg("%s '%s'", setting_kind_text(rows[i].kind), rows[i].value);
}

static void numbers_of_an_experiment_have_limits(void **state)
{
	CHECK_INT(check_seed(EXPERIMENT_SEED_MAX, NULL), 0);
	CHECK_INT(check_seed(EXPERIMENT_SEED_MAX + 1, NULL), -EINVAL);
	CHECK_INT(check_interval(0, NULL), 0);
	CHECK_INT(check_interval(10 * NS_PER_MS, NULL), 0);
	CHECK_INT(check_interval(10 * NS_PER_MS - 1, NULL), -EINVAL);
	CHECK_INT(check_interval(3601 * NS_PER_SEC, NULL), -EINVAL);
	CHECK_INT(check_time_limit(0, NULL), 0);
	CHECK_INT(check_time_limit(NS_PER_SEC - 1, NULL), -EINVAL);
	CHECK_INT(check_time_limit(NS_PER_SEC, NULL), 0);
	CHECK_INT(check_place("host", NULL), 0);
	CHECK_INT(check_place("moon", NULL), -EINVAL);
	CHECK_INT(check_question("why?", NULL), 0);
	CHECK_INT(check_question("why?\nhow?", NULL), -EINVAL);
}

static void kinds_that_no_place_can_set_are_not_offered(void **state)
{
	const char *words[SETTING_KIND_COUNT];
	const size_t n = check_setting_kinds(words);
	CHECK_INT(n, SETTING_KIND_COUNT - 1);
	for (size_t i = 0; i < n; i++)
		CHECK(strcmp(words[i], "kernel") != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_words_of_a_command_line),
		cmocka_unit_test(values_are_held_against_the_parameters_row),
		cmocka_unit_test(a_value_is_one_line_of_limited_length),
		cmocka_unit_test(keys_of_settings_are_paths_that_stay_below_their_root),
		cmocka_unit_test(values_of_settings_have_their_forms),
		cmocka_unit_test(numbers_of_an_experiment_have_limits),
		cmocka_unit_test(kinds_that_no_place_can_set_are_not_offered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
