/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function bodies beside each other. A displacement from the instruction pointer is taken out (the
 * symbol that it leads to stands behind it), and so are the instructions that only fill up. See layout.h.
 */
#include "revision/layout.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "revision/elf_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTING_BYTES_MAX (256U << 20)

struct body { /* Of one function; name and text point into the listing. */
	const char *name;
	char *text;
	size_t length;
};

struct listing {
	char *bytes;
	struct body *bodies; /* By name, then in the order of the file. */
	size_t n;
};

static void listing_done(struct listing *listing)
{
	free(listing->bodies);
	free(listing->bytes);
}

static inline void auto_release_listing(struct listing *listing)
{
	listing_done(listing);
}

const char *layout_kind_text(enum layout_kind kind)
{
	switch (kind) {
	case LAYOUT_UNKNOWN:
		return "not checked";
	case LAYOUT_SAME:
		return "same";
	case LAYOUT_MOVED:
		return "moved";
	case LAYOUT_CHANGED:
		break;
	}
	return "changed";
}

/* An instruction that does nothing but fill up. */
static bool is_padding(const char *line)
{
	static const char *const fillers[] = { "nop", "xchg   %ax,%ax", "data16", "cs nop",
					       "int3" };
	line += strspn(line, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(fillers); i++)
		if (text_starts_with(line, fillers[i]))
			return true;
	return *line == '\0';
}

/* Takes the number in front of "(%rip)" out of the line. */
static void drop_displacement(char *line)
{
	char *end = strstr(line, "(%rip)");
	char *from = end;
	while (from && from > line && strchr("-0123456789abcdefx", from[-1]))
		from--;
	if (from != end)
		memmove(from, end, strlen(end) + 1);
}

/* Appends the line to the body, which lies in front of it in the same block. */
static void add_line(struct body *body, char *line)
{
	if (is_padding(line))
		return;
	drop_displacement(line);
	const size_t length = strlen(line);
	memmove(body->text + body->length, line, length);
	body->text[body->length + length] = '\n';
	body->length += length + 1;
}

static int by_name(const void *one, const void *other)
{
	const struct body *a = one;
	const struct body *b = other;
	const int order = strcmp(a->name, b->name);
	if (order)
		return order;
	return a->text < b->text ? -1 : 1;
}

static void take_apart(struct listing *listing)
{
	size_t capacity = 0;
	char *rest = NULL;
	for (char *line = strtok_r(listing->bytes, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const size_t length = strlen(line);
		const bool is_name = line[0] == '<' && text_ends_with(line, ">:");
		if (is_name) {
			listing->bodies = mem_grow(listing->bodies, &capacity, listing->n + 1,
						   sizeof(*listing->bodies));
			line[length - 2] = '\0';
			listing->bodies[listing->n++] =
				(struct body) { .name = line + 1, .text = line + length };
		} else if (listing->n > 0 && line[0] == '\t') {
			add_line(&listing->bodies[listing->n - 1], line);
		}
	}
	if (listing->n > 1)
		qsort(listing->bodies, listing->n, sizeof(*listing->bodies), by_name);
}

static bool list(const char *path, struct listing *listing, struct layout *layout)
{
	const char *const argv[] = {
		"objdump", "--disassemble", "--no-show-raw-insn", "--no-addresses", path, NULL
	};
	const struct spawn spawn = { .argv = argv };
	struct error err = { 0 };
	int status = 0;
	if (spawn_output(&spawn, LISTING_BYTES_MAX, &listing->bytes, &status, &err) ||
	    status != 0) {
		(void)snprintf(layout->reason, sizeof(layout->reason),
			       "objdump of binutils is not there or cannot read the program");
		return false;
	}
	take_apart(listing);
	return true;
}

static bool is_same(const struct body *one, const struct body *other)
{
	return one->length == other->length && memcmp(one->text, other->text, one->length) == 0;
}

/* The symbol table gives it a size. What has none is start-up code of the C library, and objdump takes
 * whatever follows for its body. */
static bool is_sized(const struct elf_file *elf, const char *name)
{
	for (size_t i = 0; i < elf->n_functions; i++)
		if (strcmp(elf->functions[i].name, name) == 0)
			return true;
	return false;
}

/* Drops the bodies of what is no function of a known size. */
static void keep_functions(struct listing *listing, const struct elf_file *elf)
{
	size_t kept = 0;
	for (size_t i = 0; i < listing->n; i++)
		if (is_sized(elf, listing->bodies[i].name))
			listing->bodies[kept++] = listing->bodies[i];
	listing->n = kept;
}

static void compare_bodies(const struct listing *base, const struct listing *head,
			   struct layout *layout)
{
	size_t i = 0;
	size_t j = 0;
	while (i < base->n && j < head->n) {
		const int order = strcmp(base->bodies[i].name, head->bodies[j].name);
		if (order != 0) {
			layout->n_one_sided++;
			i += order < 0;
			j += order > 0;
			continue;
		}
		layout->n_functions++;
		if (!is_same(&base->bodies[i], &head->bodies[j])) {
			if (layout->n_changed < LAYOUT_NAMES_MAX)
				(void)snprintf(layout->changed[layout->n_changed],
					       LAYOUT_NAME_BYTES, "%.63s", base->bodies[i].name);
			layout->n_changed++;
		}
		i++;
		j++;
	}
	layout->n_one_sided += base->n - i + (head->n - j);
}

/* Functions at another address, by name; the first of a name counts. */
static size_t count_moved(const struct elf_file *base, const struct elf_file *head)
{
	size_t n = 0;
	for (size_t i = 0; i < base->n_functions; i++) {
		size_t j = 0;
		while (j < head->n_functions &&
		       strcmp(base->functions[i].name, head->functions[j].name) != 0)
			j++;
		n += j < head->n_functions &&
		     base->functions[i].address != head->functions[j].address;
	}
	return n;
}

void layout_compare(const char *base, const char *head, struct layout *ret_layout)
{
	struct listing before AUTO(listing) = { 0 };
	struct listing after AUTO(listing) = { 0 };
	AUTO(elf_file) struct elf_file *one = NULL;
	AUTO(elf_file) struct elf_file *other = NULL;
	*ret_layout = (struct layout) { .kind = LAYOUT_UNKNOWN };
	if (elf_file_read(base, &one, /* err= */ NULL) ||
	    elf_file_read(head, &other, /* err= */ NULL) || one->n_functions == 0 ||
	    other->n_functions == 0) {
		(void)snprintf(ret_layout->reason, sizeof(ret_layout->reason),
			       "the program has no table of symbols");
		return;
	}
	if (!list(base, &before, ret_layout) || !list(head, &after, ret_layout))
		return;
	keep_functions(&before, one);
	keep_functions(&after, other);
	compare_bodies(&before, &after, ret_layout);
	ret_layout->n_moved = count_moved(one, other);
	if (ret_layout->n_changed > 0)
		ret_layout->kind = LAYOUT_CHANGED;
	else if (ret_layout->n_moved > 0 || ret_layout->n_one_sided > 0)
		ret_layout->kind = LAYOUT_MOVED;
	else
		ret_layout->kind = LAYOUT_SAME;
}
