/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of numa_maps and stat. See placed.h. */
#include "monitor/placed.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

#define NODE_MAX 65535U
#define PAGE_KIB_MAX (16ULL << 20) /* 16 GiB, the largest page of any machine. */
#define FIELD_PPID 4               /* Of proc(5), counted from 1. */
#define FIELD_UTIME 14
#define FIELD_STIME 15
#define FIELD_PROCESSOR 39

static const char page_size_key[] = "kernelpagesize_kB=";

/* The number that follows `at` and ends with a blank or the end. */
static bool whole_number(const char *at, const char *end, uint64_t *ret_number)
{
	return text_scan_u64(&at, end, ret_number) && (at == end || *at == ' ');
}

/* Page size of the line: the kernel writes it last, behind the nodes. False when it is absurd. */
static bool find_page_bytes(const char *line, const char *end, uint64_t *page_bytes)
{
	const size_t length = sizeof(page_size_key) - 1;
	const char *at = memmem(line, (size_t)(end - line), page_size_key, length);
	uint64_t kib;
	if (!at || (at > line && at[-1] != ' '))
		return true;
	if (!whole_number(at + length, end, &kib) || kib == 0 || kib > PAGE_KIB_MAX)
		return false;
	*page_bytes = kib * 1024;
	return true;
}

/* "N3=512"; words that only begin with an N are none of ours. */
static bool read_node(const char *word, const char *end, uint64_t page_bytes, placed_pages *each,
		      void *user)
{
	const char *at = word + 1;
	uint64_t node;
	uint64_t pages;
	uint64_t bytes;
	if (!text_scan_u64(&at, end, &node) || at == end || *at != '=')
		return true;
	if (!whole_number(at + 1, end, &pages) || node > NODE_MAX ||
	    __builtin_mul_overflow(pages, page_bytes, &bytes))
		return false;
	each(user, (uint32_t)node, bytes);
	return true;
}

bool placed_line(const char *line, size_t length, uint64_t page_bytes, placed_pages *each,
		 void *user)
{
	const char *const end = line + length;
	assert(page_bytes > 0);
	if (!find_page_bytes(line, end, &page_bytes))
		return false;
	/* Names of files have their blanks escaped, so a word is a word. */
	for (const char *word = line; word < end;) {
		const char *blank = memchr(word, ' ', (size_t)(end - word));
		const char *const word_end = blank ? blank : end;
		if (*word == 'N' && !read_node(word, word_end, page_bytes, each, user))
			return false;
		word = blank ? blank + 1 : end;
	}
	return true;
}

static bool is_wanted(unsigned field)
{
	return field == FIELD_PPID || field == FIELD_UTIME || field == FIELD_STIME ||
	       field == FIELD_PROCESSOR;
}

bool placed_stat(const char *text, struct placed_task *ret_task)
{
	/* The name may hold anything, also a parenthesis: what follows the last one is field 3. */
	const char *at = strrchr(text, ')');
	uint64_t fields[FIELD_PROCESSOR + 1] = { 0 };
	uint64_t ticks;
	if (!at || at[1] != ' ' || !at[2])
		return false;
	at += 2;
	for (unsigned field = 3; field <= FIELD_PROCESSOR; field++) {
		const char *const end = at + strcspn(at, " \n");
		const char *digit = at;
		if (end == at)
			return false;
		if (is_wanted(field) &&
		    (!text_scan_u64(&digit, end, &fields[field]) || digit != end))
			return false;
		at = *end == ' ' ? end + 1 : end;
	}
	if (fields[FIELD_PROCESSOR] > UINT32_MAX || fields[FIELD_PPID] > UINT32_MAX ||
	    __builtin_add_overflow(fields[FIELD_UTIME], fields[FIELD_STIME], &ticks))
		return false;
	*ret_task = (struct placed_task) { .parent = (uint32_t)fields[FIELD_PPID],
					   .ticks = ticks,
					   .cpu = (uint32_t)fields[FIELD_PROCESSOR] };
	return true;
}
