/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which stream is spoken on, in which words, and with which exit code. */
#include "cli/say.h"

#include "base/mem.h"
#include "capture.h"
#include "check.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/ioctl.h>

static int code; /* What the last act() answered. */

static void bad_input(void *user)
{
	code = say_error(-EINVAL, user);
}

static void bad_surroundings(void *user)
{
	code = say_error(-EIO, user);
}

static void usage(void *user)
{
	code = say_usage("unknown word '%s'", (const char *)user);
}

static void warn(void *user)
{
	say_warning("no '%s', going on without it", (const char *)user);
}

static void print(void *user)
{
	(void)fputs(user, stdout);
	code = say_done(EXIT_REGRESSION);
}

static void print_json(void *user)
{
	code = say_json(json_pack("{s:i}", user, 7));
}

static void check_says(FILE *stream, void (*act)(void *user), void *user, const char *want,
		       int want_code)
{
	code = 0;
	char *have = capture(stream, act, user);

	CHECK_TEXT(have, want);
	CHECK_INT(code, want_code);
	free(have);
}

static void errors_stand_on_standard_error_with_their_exit_code(void **state)
{
	struct error err = { .text = "cannot open 'x': no" };

	check_says(stderr, bad_input, &err, "assay: error: cannot open 'x': no\n", 129);
	check_says(stderr, bad_surroundings, &err, "assay: error: cannot open 'x': no\n", 128);
	check_says(stdout, bad_input, &err, "", 129);
	check_says(stderr, usage, (char[]) { "wrod" }, "assay: error: unknown word 'wrod'\n", 129);
	check_says(stderr, warn, (char[]) { "y" }, "assay: warning: no 'y', going on without it\n",
		   0);
}

static void results_stand_on_standard_output(void **state)
{
	check_says(stdout, print, (char[]) { "a result\n" }, "a result\n", EXIT_REGRESSION);
	check_says(stdout, print_json, (char[]) { "key" }, "{\n  \"key\": 7\n}\n", 0);
}

static void a_full_disk_is_an_error_and_not_a_result(void **state)
{
	if (access("/dev/full", W_OK) < 0) {
		print_message("/dev/full is not there\n");
		skip();
	}
	capture_into("/dev/full", stdout, print, (char[]) { "lost\n" });
	CHECK_INT(code, EXIT_SURROUNDINGS);
	capture_into("/dev/full", stdout, print_json, (char[]) { "lost" });
	CHECK_INT(code, EXIT_SURROUNDINGS);
}

struct looks {
	bool colour;
	unsigned width;
};

static void look(void *user)
{
	struct looks *looks = user;

	looks->colour = say_has_colour();
	looks->width = say_width();
}

/* What is found when standard output is a terminal of so many columns. */
static struct looks on_terminal(unsigned short columns)
{
	struct looks looks = { 0 };
	const struct winsize size = { .ws_row = 24, .ws_col = columns };
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) {
		print_message("there are no pseudo-terminals here\n");
		skip();
	}
	CHECK_INT(ioctl(master, TIOCSWINSZ, &size), 0);
	capture_into(ptsname(master), stdout, look, &looks);
	CHECK_INT(close(master), 0);
	return looks;
}

static void elsewhere_there_is_no_colour_and_a_width_of_100(void **state)
{
	struct looks looks = { .colour = true };
	char *nothing = capture(stdout, look, &looks);

	CHECK(!looks.colour);
	CHECK_INT(looks.width, 100);
	free(nothing);
}

static void a_terminal_has_its_own_width_and_colours(void **state)
{
	(void)unsetenv("NO_COLOR");
	const struct looks wide = on_terminal(132);

	CHECK(wide.colour);
	CHECK_INT(wide.width, 132);
	CHECK_INT(on_terminal(20).width, 60);
	CHECK_INT(on_terminal(0).width, 100); /* It does not know. */
}

static void no_color_refuses_colours_unless_it_is_empty(void **state)
{
	(void)setenv("NO_COLOR", "1", /* replace= */ 1);
	CHECK(!on_terminal(80).colour);
	(void)setenv("NO_COLOR", "", 1);
	CHECK(on_terminal(80).colour);
	(void)unsetenv("NO_COLOR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_stand_on_standard_error_with_their_exit_code),
		cmocka_unit_test(results_stand_on_standard_output),
		cmocka_unit_test(a_full_disk_is_an_error_and_not_a_result),
		cmocka_unit_test(elsewhere_there_is_no_colour_and_a_width_of_100),
		cmocka_unit_test(a_terminal_has_its_own_width_and_colours),
		cmocka_unit_test(no_color_refuses_colours_unless_it_is_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
