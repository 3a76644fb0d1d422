/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include "base/auto.h"
#include "base/text.h"
#include "check.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

static void fresh_memory_is_zeroed(void **state)
{
	unsigned char *bytes = mem_zero(1000);
	uint64_t *numbers = mem_array(100, sizeof(*numbers));
	for (int i = 0; i < 1000; i++)
		CHECK_INT(bytes[i], 0);
	for (int i = 0; i < 100; i++)
		CHECK_INT(numbers[i], 0);
	free(bytes);
	free(numbers);
}

static void a_block_of_no_bytes_is_a_block(void **state)
{
	void *one = mem_zero(0);
	void *other = mem_array(0, 8);
	CHECK(one && other && one != other);
	free(one);
	free(other);
}

static void a_growing_array_keeps_what_it_has(void **state)
{
	size_t capacity = 0;
	uint32_t *numbers = NULL;
	unsigned moves = 0;
	for (uint32_t i = 0; i < 10000; i++) {
		const size_t before = capacity;
		numbers = mem_grow(numbers, &capacity, i + 1, sizeof(*numbers));
		CHECK(capacity > i);
		moves += capacity != before;
		numbers[i] = i;
	}
	for (uint32_t i = 0; i < 10000; i++)
		CHECK_INT(numbers[i], i);
	CHECK(moves < 20); /* It doubles. */
	CHECK(mem_grow(numbers, &capacity, 5, sizeof(*numbers)) == numbers);
	free(numbers);
}

static void texts_are_copied_and_null_stays_null(void **state)
{
	AUTO(text) char *copy = mem_text("numa");
	CHECK_TEXT(copy, "numa");
	CHECK(mem_text(NULL) == NULL);
	AUTO(text) char *part = mem_text_n("numa01", 4);
	CHECK_TEXT(part, "numa");
	AUTO(text) char *nothing = mem_text_n(NULL, 0);
	CHECK_TEXT(nothing, "");
	AUTO(text) char *made = mem_format("%s=%d", "groups", 4);
	CHECK_TEXT(made, "groups=4");
}

static void a_block_shown_as_const_is_freed_by_its_owner(void **state)
{
	const char *shown = mem_text("unit");
	mem_free_const(shown); /* The leak checker sees when it is not. */
	mem_free_const(NULL);
}

/* What a child says on standard error before it ends, and how it ends. */
static int dying_words(void (*act)(void), char *words, size_t size)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	if (child == 0) {
		const struct rlimit no_core = { 0, 0 };
		(void)setrlimit(RLIMIT_CORE, &no_core);
		(void)signal(SIGABRT, SIG_DFL);
		(void)dup2(ends[1], STDERR_FILENO);
		act();
		_exit(0);
	}
	(void)close(ends[1]);
	size_t have = 0;
	ssize_t got;
	while (have < size - 1 && (got = read(ends[0], words + have, size - 1 - have)) > 0)
		have += (size_t)got;
	words[have] = '\0';
	(void)close(ends[0]);
	int status = 0;
	(void)waitpid(child, &status, 0);
	return status;
}

static void ask_for_an_overflowing_array(void)
{
	free(mem_array(SIZE_MAX / 2, 3));
}

static void grow_beyond_all_memory(void)
{
	size_t capacity = 0;
	free(mem_grow(NULL, &capacity, SIZE_MAX - 1, 1));
}

static void what_no_memory_can_hold_ends_the_program_naming_the_size(void **state)
{
	char words[512];
	int status = dying_words(ask_for_an_overflowing_array, words, sizeof(words));
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CHECK_HOLDS(words, "out of memory asking for 18446744073709551615 bytes");
	status = dying_words(grow_beyond_all_memory, words, sizeof(words));
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CHECK_HOLDS(words, "out of memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fresh_memory_is_zeroed),
		cmocka_unit_test(a_block_of_no_bytes_is_a_block),
		cmocka_unit_test(a_growing_array_keeps_what_it_has),
		cmocka_unit_test(texts_are_copied_and_null_stays_null),
		cmocka_unit_test(a_block_shown_as_const_is_freed_by_its_owner),
		cmocka_unit_test(what_no_memory_can_hold_ends_the_program_naming_the_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
