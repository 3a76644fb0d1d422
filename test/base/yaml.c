/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The YAML tree: kinds, words and places; what is refused, and where. */
#include "base/yaml.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>

static struct yaml_node *parse(const char *text)
{
	struct yaml_node *root = NULL;
	struct error err = { 0 };
	if (yaml_parse(text, strlen(text), &root, &err) < 0)
		fail_msg("%s", err.text);
	return root;
}

static void check_refused(const char *text, size_t length, const char *sentence)
{
	struct yaml_node *root = NULL;
	struct error err = { 0 };
	CHECK_INT(yaml_parse(text, length, &root, &err), -EINVAL);
	CHECK(!root);
	CHECK_TEXT(err.text, sentence);
}

static void everything_knows_where_it_stood(void **state)
{
	AUTO(yaml)
	struct yaml_node *root = parse("a: 1\n"
				       "list:\n"
				       "  - x: [1, 'two']\n"
				       "  - \"y\"\n"
				       "\xc3\xa9\xc3\xa9: z\n");
	CHECK_INT(root->kind, YAML_MAP);
	CHECK_INT(root->n_items, 3);
	const struct yaml_node *list = yaml_find(root, "list");
	CHECK_INT(list->kind, YAML_LIST);
	CHECK_INT(list->key_place.line, 2);
	CHECK_INT(list->key_place.column, 1);
	CHECK_INT(list->n_items, 2);
	const struct yaml_node *inner = yaml_find(list->items[0], "x");
	CHECK_INT(inner->items[1]->place.line, 3);
	CHECK_INT(inner->items[1]->place.column, 13);
	CHECK_TEXT(inner->items[1]->text, "two");
	CHECK(!inner->items[1]->plain);
	CHECK(inner->items[0]->plain);
	CHECK_TEXT(list->items[1]->text, "y");
	const struct yaml_node *accented = root->items[2];
	CHECK_TEXT(accented->key, "\xc3\xa9\xc3\xa9");
	CHECK_INT(accented->place.line, 5);
	CHECK_INT(accented->place.column, 5);
	CHECK(!yaml_find(root, "absent"));
}

static void an_empty_word_differs_from_nothing(void **state)
{
	AUTO(yaml) struct yaml_node *root = parse("a:\nb: ''\nc: []\nd: {}\n");
	CHECK(yaml_is_empty(yaml_find(root, "a")));
	CHECK_TEXT(yaml_kind_text(yaml_find(root, "a")), "nothing");
	CHECK(!yaml_is_empty(yaml_find(root, "b")));
	CHECK_TEXT(yaml_kind_text(yaml_find(root, "b")), "an empty word");
	CHECK_TEXT(yaml_kind_text(yaml_find(root, "c")), "an empty list");
	CHECK_TEXT(yaml_kind_text(yaml_find(root, "d")), "an empty map");
	CHECK_TEXT(yaml_kind_text(root), "a map");
}

static void words_are_kept_as_they_are_written(void **state)
{
	AUTO(yaml) struct yaml_node *root = parse("[50%, 2*cpus, 0x10, yes, 1.0, C1;C1E, a b]\n");
	static const char *const words[] = {
		"50%", "2*cpus", "0x10", "yes", "1.0", "C1;C1E", "a b"
	};
	CHECK_INT(root->n_items, ARRAY_SIZE(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		CHECK_TEXT(root->items[i]->text, words[i]);
}

static void comments_and_a_document_mark_are_nothing(void **state)
{
	AUTO(yaml) struct yaml_node *root = parse("# first\n---\n# second\na: b # third\n...\n");
	CHECK_INT(root->n_items, 1);
	CHECK_TEXT(yaml_find(root, "a")->text, "b");
}

static void what_people_do_not_need_is_refused_where_it_stands(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} rows[] = {
		{ "", "1:1: nothing is written here" },
		{ "a: &x b\n", "1:5: anchors ('&name') are not used here" },
		{ "a: &x [b, c]\n", "1:5: anchors ('&name') are not used here" },
		{ "a: &x {b: c}\n", "1:5: anchors ('&name') are not used here" },
		{ "&x a: b\n", "1:2: anchors ('&name') are not used here" },
		{ "a: b\n<<: *x\n", "2:6: aliases ('*name') are not used here, write it out" },
		{ "a: !!str b\n", "1:4: tags ('!name') are not used here" },
		{ "a: !thing [b]\n", "1:4: tags ('!name') are not used here" },
		{ "a: b\n\n  \tc: d\n", "3:3: a tab in the indentation, use blanks" },
		{ "a: b\na: c\n", "2:1: duplicate key 'a', it stands in line 1 already" },
		{ "? {a: b}\n: c\n", "1:3: a key must be a word" },
		{ "a: b\n---\nc: d\n", "2:1: a second document, a file holds one" },
		{ "\xc3\xa9: \xff\n", "1:4: not UTF-8 (byte 0xff)" },
		{ "a: \xed\xa0\x80\n", "1:4: not UTF-8 (byte 0xed)" },
		{ "a: \xc3", "1:4: not UTF-8 (byte 0xc3)" },
		{ "a: \x7f\n", "1:4: a control character (byte 0x7f)" },
		{ "[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]", "1:18: nested deeper than 16 levels" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_refused(rows[i].text, strlen(rows[i].text), rows[i].sentence);
	check_refused("a: \0b", 5, "1:4: a control character (byte 0x00)");
}

static void sizes_are_limited(void **state)
{
	struct text many AUTO(text_buffer) = { 0 };
	for (unsigned i = 0; i <= YAML_NODES_MAX; i++)
		text_add(&many, "- x\n");
	check_refused(many.bytes, many.length, "12000:3: more than 12000 words, lists and maps");
	AUTO(text) char *long_text = mem_zero(YAML_BYTES_MAX + 1);
	memset(long_text, 'x', YAML_BYTES_MAX + 1);
	check_refused(long_text, YAML_BYTES_MAX + 1, "1:1: longer than 262144 bytes");
}

/* Every beginning of a right text is read or refused, and nothing is lost on the way (the
 * sanitizers watch). */
static void every_torn_text_is_read_or_refused(void **state)
{
	static const char whole[] =
		"workloads:\n  - a: {b: [1, '2', \"3\"]}\n  - c\nd: |\n  text\n";
	for (size_t length = 0; length < sizeof(whole); length++) {
		struct yaml_node *root = NULL;
		struct error err = { 0 };
		AUTO(text) char *exact = mem_zero(length);
		memcpy(exact, whole, length);
		const int answer = yaml_parse(exact, length, &root, &err);
		CHECK(answer == 0 ? root != NULL : answer == -EINVAL && err.text[0]);
		yaml_free(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_knows_where_it_stood),
		cmocka_unit_test(an_empty_word_differs_from_nothing),
		cmocka_unit_test(words_are_kept_as_they_are_written),
		cmocka_unit_test(comments_and_a_document_mark_are_nothing),
		cmocka_unit_test(what_people_do_not_need_is_refused_where_it_stands),
		cmocka_unit_test(sizes_are_limited),
		cmocka_unit_test(every_torn_text_is_read_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
