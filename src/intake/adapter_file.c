/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adapter files: the head, and what the readers of the other keys share. Format: assay-adapter(5). */
#include "intake/adapter_file.h"

#include "base/checksum.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

#define NAME_BYTES_MAX 48
#define TEXT_BYTES_MAX 2000
#define SEMANTICS_MAX 1000000

static_assert(sizeof(((struct adapter *)NULL)->sha256) == CHECKSUM_SHA256_HEX, "a digest fits");

/* ---- refusals ---- */

int adapter_file_at(const struct adapter_file *file, struct yaml_place place)
{
	return error_at(file->err, "%s:%u:%u", file->path, place.line, place.column);
}

int adapter_file_wrong(const struct adapter_file *file, struct yaml_place place, const char *format,
		       ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *sentence = mem_format_v(format, arguments);
	va_end(arguments);
	(void)error_set(file->err, EINVAL, "%s", sentence); /* The next line gives the code. */
	return adapter_file_at(file, place);
}

int adapter_file_unknown(const struct adapter_file *file, struct yaml_place place, const char *what,
			 const char *word, const char *const *words, size_t n)
{
	const char *near = text_nearest(word, words, n);
	if (near)
		return adapter_file_wrong(file, place, "unknown %s '%s', did you mean '%s'?", what,
					  word, near);
	struct text known AUTO(text_buffer) = { 0 };
	for (size_t i = 0; i < n; i++)
		text_add(&known, "%s%s", i > 0 ? ", " : "", words[i]);
	return adapter_file_wrong(file, place, "unknown %s '%s', known are %s", what, word,
				  text_string(&known));
}

static int wrong_kind(const struct adapter_file *file, const struct yaml_node *node,
		      const char *wanted)
{
	return adapter_file_wrong(file, node->place, "%s%s%swants %s, this is %s",
				  node->key ? "'" : "", node->key ? node->key : "it ",
				  node->key ? "' " : "", wanted, yaml_kind_text(node));
}

/* ---- maps and words ---- */

static int check_keys(const struct adapter_file *file, const struct yaml_node *map,
		      const char *what, const struct adapter_key *keys, size_t n_keys)
{
	const char **words = mem_array(n_keys, sizeof(*words));
	int answer = 0;
	for (size_t i = 0; i < n_keys; i++)
		words[i] = keys[i].name;
	for (size_t i = 0; i < map->n_items && answer == 0; i++) {
		const struct yaml_node *item = map->items[i];
		bool known = false;
		for (size_t j = 0; j < n_keys && !known; j++)
			known = strcmp(words[j], item->key) == 0;
		if (!known)
			answer = adapter_file_unknown(file, item->key_place, what, item->key, words,
						      n_keys);
	}
	free(words);
	return answer;
}

int adapter_file_map(struct adapter_file *file, const struct yaml_node *map, const char *what,
		     const struct adapter_key *keys, size_t n_keys, void *into)
{
	if (map->kind != YAML_MAP)
		return wrong_kind(file, map, "keys with values");
	int answer = check_keys(file, map, what, keys, n_keys);
	for (size_t i = 0; i < n_keys && answer == 0; i++) {
		const struct yaml_node *item = yaml_find(map, keys[i].name);
		if (item)
			answer = keys[i].read(file, item, into);
		else if (keys[i].required)
			answer = adapter_file_wrong(file, map->place, "'%s' is missing here",
						    keys[i].name);
	}
	return answer;
}

int adapter_file_text(struct adapter_file *file, const struct yaml_node *node, char **ret_text)
{
	assert(!*ret_text);
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return wrong_kind(file, node, "a text");
	if (strlen(node->text) > TEXT_BYTES_MAX)
		return adapter_file_wrong(file, node->place, "longer than %d bytes",
					  TEXT_BYTES_MAX);
	AUTO(text) char *copy = mem_text(node->text);
	const char *trimmed = text_trim(copy);
	for (const char *at = trimmed; *at; at++)
		if (iscntrl((unsigned char)*at))
			return adapter_file_wrong(file, node->place,
						  "a line break or control character in the text");
	*ret_text = mem_text(trimmed);
	return 0;
}

int adapter_file_word(struct adapter_file *file, const struct yaml_node *node,
		      const char *const *words, size_t n, size_t *ret_index)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return wrong_kind(file, node, "a word");
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], node->text) == 0) {
			*ret_index = i;
			return 0;
		}
	return adapter_file_unknown(file, node->place, node->key ? node->key : "word", node->text,
				    words, n);
}

int adapter_file_yes(struct adapter_file *file, const struct yaml_node *node, bool *ret_yes)
{
	static const char *const words[] = { "no", "yes" };
	size_t index = 0;
	const int answer = adapter_file_word(file, node, words, ARRAY_SIZE(words), &index);
	if (answer == 0)
		*ret_yes = index == 1;
	return answer;
}

int adapter_file_number(struct adapter_file *file, const struct yaml_node *node,
			uint64_t *ret_number)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return wrong_kind(file, node, "a number");
	if (!text_parse_u64(node->text, ret_number))
		return adapter_file_wrong(file, node->place, "'%s' wants a whole number, not '%s'",
					  node->key, node->text);
	return 0;
}

int adapter_file_decimal(struct adapter_file *file, const struct yaml_node *node,
			 double *ret_number)
{
	double number;
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return wrong_kind(file, node, "a number");
	if (!text_parse_f64(node->text, &number) || number <= 0.0)
		return adapter_file_wrong(file, node->place,
					  "'%s' wants a number above 0, not '%s'", node->key,
					  node->text);
	*ret_number = number;
	return 0;
}

int adapter_file_name(struct adapter_file *file, const char *name, struct yaml_place place)
{
	bool right = isalnum((unsigned char)*name) && strlen(name) <= NAME_BYTES_MAX;
	for (const char *at = name; *at; at++)
		right = right && (isalnum((unsigned char)*at) || strchr("-_.", *at));
	if (right)
		return 0;
	return adapter_file_wrong(file, place,
				  "'%s' is no name: use up to %d letters, digits, '-', '_' and "
				  "'.', and begin with a letter or digit",
				  name, NAME_BYTES_MAX);
}

/* ---- the head ---- */

static int read_name(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const int answer = adapter_file_text(file, node, &file->adapter->name);
	return answer < 0 ? answer : adapter_file_name(file, file->adapter->name, node->place);
}

static int read_what(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return adapter_file_text(file, node, &file->adapter->what);
}

static int read_stands(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return adapter_file_text(file, node, &file->adapter->stands);
}

static int read_program(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return adapter_file_text(file, node, &file->adapter->program);
}

static int read_package(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const int answer = adapter_file_text(file, node, &file->adapter->package);
	return answer < 0 ? answer : adapter_file_name(file, file->adapter->package, node->place);
}

static int read_seen(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return adapter_file_text(file, node, &file->adapter->seen);
}

static int read_semantics(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	uint64_t number = 0;
	const int answer = adapter_file_number(file, node, &number);
	if (answer < 0)
		return answer;
	if (number < 1 || number > SEMANTICS_MAX)
		return adapter_file_wrong(file, node->place, "'semantics' is 1 to %d, not %s",
					  SEMANTICS_MAX, node->text);
	file->adapter->semantics = (uint32_t)number;
	return 0;
}

static const struct adapter_key keys[] = {
	{ "adapter", read_name, true },        { "what", read_what, true },
	{ "stands", read_stands, false },      { "program", read_program, true },
	{ "package", read_package, false },    { "version", read_seen, true },
	{ "semantics", read_semantics, true }, { "parameters", adapter_file_parameters, false },
	{ "start", adapter_file_start, true }, { "scores", adapter_file_scores, true },
};

static int read_root(struct adapter_file *file, const struct yaml_node *root)
{
	struct adapter *adapter = file->adapter;
	int answer = adapter_file_map(file, root, "key", keys, ARRAY_SIZE(keys), /* into= */ NULL);
	if (answer == 0 && !adapter->stands)
		adapter->stands = mem_text("whatever the program presses");
	if (answer == 0)
		answer = adapter_check_scores(adapter, file->err);
	return answer;
}

int adapter_parse(const char *text, size_t length, const char *path, struct adapter **ret_adapter,
		  struct error *err)
{
	struct error own = { 0 };
	AUTO(adapter) struct adapter *adapter = mem_zero(sizeof(*adapter));
	AUTO(yaml) struct yaml_node *root = NULL;
	struct adapter_file file = { .path = path, .adapter = adapter, .err = err ? err : &own };
	adapter->path = mem_text(path);
	int answer = yaml_parse(text, length, &root, file.err);
	if (answer < 0) {
		/* The sentence begins with line and column. */
		AUTO(text) char *sentence = mem_text(file.err->text);
		return error_set(file.err, -answer, "%s:%s", path, sentence);
	}
	assert(root);
	answer = read_root(&file, root);
	if (answer < 0)
		return answer;
	checksum_sha256_hex(text, length, adapter->sha256);
	adapter_make_row(adapter);
	*ret_adapter = KEEP(adapter);
	return 0;
}
