/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of libfyaml's events. The events are read rather than libfyaml's own documents, so that
 * aliases cannot multiply, depth and size are limited while reading, and each refusal is one
 * sentence of ours with its place. */
#include "base/yaml.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct fy_parser *parser;
	struct fy_diag *diag;
	struct yaml_place last; /* Where the last event with a place stood. */
	size_t n_nodes;
	struct error *err;
};

static int refuse(const struct reader *reader, struct yaml_place place, const char *format, ...)
	PRINTF_LIKE(3, 4);

static int refuse(const struct reader *reader, struct yaml_place place, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *sentence = mem_format_v(format, arguments);
	va_end(arguments);
	return error_set(reader->err, EINVAL, "%u:%u: %s", place.line, place.column, sentence);
}

/* ---- the text before any YAML ---- */

/* One character; moves *at behind it and keeps the place. */
static int check_character(const struct reader *reader, const char **at, const char *end,
			   bool *indenting, struct yaml_place *place)
{
	const unsigned char character = (unsigned char)**at;
	const size_t bytes = text_utf8_length(*at, end);
	if (bytes == 0)
		return refuse(reader, *place, "not UTF-8 (byte 0x%02x)", character);
	if (character == '\t' && *indenting)
		return refuse(reader, *place, "a tab in the indentation, use blanks");
	if ((character < ' ' && !strchr("\t\r\n", character)) || character == 0x7f || !character)
		return refuse(reader, *place, "a control character (byte 0x%02x)", character);
	*at += bytes;
	place->column++;
	if (character == '\n')
		*place = (struct yaml_place) { place->line + 1, 1 };
	*indenting = character == '\n' || (*indenting && character == ' ');
	return 0;
}

static int check_text(const struct reader *reader, const char *text, size_t length)
{
	struct yaml_place place = { 1, 1 };
	bool indenting = true;
	if (length > YAML_BYTES_MAX)
		return refuse(reader, place, "longer than %u bytes", YAML_BYTES_MAX);
	for (const char *at = text; at < text + length;) {
		const int answer = check_character(reader, &at, text + length, &indenting, &place);
		if (answer < 0)
			return answer;
	}
	return 0;
}

/* ---- the events ---- */

static struct yaml_place token_place(struct reader *reader, struct fy_token *token)
{
	const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
	if (mark && mark->line >= 0 && mark->column >= 0)
		reader->last = (struct yaml_place) { (unsigned)mark->line + 1,
						     (unsigned)mark->column + 1 };
	return reader->last;
}

/* What libfyaml has to say about a text that it could not read. */
static int refuse_text(struct reader *reader)
{
	void *iterator = NULL;
	const struct fy_diag_error *error = fy_diag_errors_iterate(reader->diag, &iterator);
	if (!error || !error->msg)
		return refuse(reader, reader->last, "not valid YAML");
	struct yaml_place place = reader->last;
	if (error->line > 0 && error->column > 0)
		place = (struct yaml_place) { (unsigned)error->line, (unsigned)error->column };
	return refuse(reader, place, "not valid YAML: %s", error->msg);
}

/* The next event that is not about the stream. */
static int next_event(struct reader *reader, struct fy_event **ret_event)
{
	struct fy_event *event = fy_parser_parse(reader->parser);
	if (!event)
		return refuse_text(reader);
	*ret_event = event;
	return 0;
}

/* Takes the event's word and releases nothing. */
static char *event_text(struct fy_event *event)
{
	size_t length = 0;
	const char *text = fy_token_get_text(event->scalar.value, &length);
	return text ? mem_text_n(text, length) : mem_text("");
}

static void event_parts(struct fy_event *event, struct fy_token **ret_start,
			struct fy_token **ret_anchor, struct fy_token **ret_tag)
{
	*ret_start = *ret_anchor = *ret_tag = NULL;
	if (event->type == FYET_SCALAR) {
		*ret_start = event->scalar.value;
		*ret_anchor = event->scalar.anchor;
		*ret_tag = event->scalar.tag;
	} else if (event->type == FYET_SEQUENCE_START) {
		*ret_start = event->sequence_start.sequence_start;
		*ret_anchor = event->sequence_start.anchor;
		*ret_tag = event->sequence_start.tag;
	} else if (event->type == FYET_MAPPING_START) {
		*ret_start = event->mapping_start.mapping_start;
		*ret_anchor = event->mapping_start.anchor;
		*ret_tag = event->mapping_start.tag;
	} else if (event->type == FYET_ALIAS) {
		*ret_start = event->alias.anchor;
	}
}

/* ---- the tree ---- */

static int read_node(struct reader *reader, struct fy_event *event, unsigned depth,
		     struct yaml_node **ret_node);

static struct yaml_node *node_new(enum yaml_kind kind, struct yaml_place place)
{
	struct yaml_node *node = mem_zero(sizeof(*node));
	node->kind = kind;
	node->place = place;
	return node;
}

void yaml_free(struct yaml_node *root)
{
	if (!root)
		return;
	for (size_t i = 0; i < root->n_items; i++)
		yaml_free(root->items[i]);
	free(root->items);
	free(root->text);
	free(root->key);
	free(root);
}

static void add_item(struct yaml_node *parent, size_t *capacity, struct yaml_node *item)
{
	parent->items =
		mem_grow(parent->items, capacity, parent->n_items + 1, sizeof(struct yaml_node *));
	parent->items[parent->n_items++] = item;
}

/* Reads the event's node and releases the event. */
static int consume_node(struct reader *reader, struct fy_event *event, unsigned depth,
			struct yaml_node **ret_node)
{
	const int answer = read_node(reader, event, depth, ret_node);
	fy_parser_event_free(reader->parser, event);
	return answer;
}

static int read_list(struct reader *reader, unsigned depth, struct yaml_node *list)
{
	size_t capacity = 0;
	for (;;) {
		struct fy_event *event = NULL;
		int answer = next_event(reader, &event);
		if (answer < 0)
			return answer;
		assert(event);
		if (event->type == FYET_SEQUENCE_END) {
			fy_parser_event_free(reader->parser, event);
			return 0;
		}
		struct yaml_node *item = NULL;
		answer = consume_node(reader, event, depth + 1, &item);
		if (answer < 0)
			return answer;
		add_item(list, &capacity, item);
	}
}

/* The key's event has come: takes it, then the value. */
static int read_entry(struct reader *reader, struct fy_event *key_event, unsigned depth,
		      const struct yaml_node *map, struct yaml_node **ret_item)
{
	AUTO(yaml) struct yaml_node *key = NULL;
	int answer = consume_node(reader, key_event, depth + 1, &key);
	if (answer < 0)
		return answer;
	if (key->kind != YAML_WORD)
		return refuse(reader, key->place, "a key must be a word");
	const struct yaml_node *before = yaml_find(map, key->text);
	if (before)
		return refuse(reader, key->place,
			      "duplicate key '%s', it stands in line %u already", key->text,
			      before->key_place.line);
	struct fy_event *event = NULL;
	answer = next_event(reader, &event);
	if (answer < 0)
		return answer;
	assert(event);
	struct yaml_node *item = NULL;
	answer = consume_node(reader, event, depth + 1, &item);
	if (answer < 0)
		return answer;
	item->key_place = key->place;
	item->key = KEEP(key->text);
	*ret_item = item;
	return 0;
}

static int read_map(struct reader *reader, unsigned depth, struct yaml_node *map)
{
	size_t capacity = 0;
	for (;;) {
		struct fy_event *event = NULL;
		int answer = next_event(reader, &event);
		if (answer < 0)
			return answer;
		assert(event);
		if (event->type == FYET_MAPPING_END) {
			fy_parser_event_free(reader->parser, event);
			return 0;
		}
		struct yaml_node *item = NULL;
		answer = read_entry(reader, event, depth, map, &item);
		if (answer < 0)
			return answer;
		add_item(map, &capacity, item);
	}
}

static struct yaml_node *read_word(struct fy_event *event, struct yaml_place place)
{
	struct yaml_node *word = node_new(YAML_WORD, place);
	word->text = event_text(event);
	const struct fy_mark *start = fy_token_start_mark(event->scalar.value);
	const struct fy_mark *end = fy_token_end_mark(event->scalar.value);
	const enum fy_scalar_style style = fy_token_scalar_style(event->scalar.value);
	word->plain = style == FYSS_PLAIN;
	word->one_line = word->plain && start && end && start->line == end->line;
	return word;
}

/* Refuses what is not used in files for people. */
static int check_event(struct reader *reader, struct fy_event *event, unsigned depth,
		       struct yaml_place *ret_place)
{
	struct fy_token *start;
	struct fy_token *anchor;
	struct fy_token *tag;
	event_parts(event, &start, &anchor, &tag);
	const struct yaml_place place = token_place(reader, start);
	if (event->type == FYET_ALIAS)
		return refuse(reader, place, "aliases ('*name') are not used here, write it out");
	if (anchor)
		return refuse(reader, token_place(reader, anchor),
			      "anchors ('&name') are not used here");
	if (tag)
		return refuse(reader, token_place(reader, tag), "tags ('!name') are not used here");
	if (depth > YAML_DEPTH_MAX)
		return refuse(reader, place, "nested deeper than %d levels", YAML_DEPTH_MAX);
	if (++reader->n_nodes > YAML_NODES_MAX)
		return refuse(reader, place, "more than %d words, lists and maps", YAML_NODES_MAX);
	*ret_place = place;
	return 0;
}

static int read_node(struct reader *reader, struct fy_event *event, unsigned depth,
		     struct yaml_node **ret_node)
{
	struct yaml_place place = { 0 };
	int answer = check_event(reader, event, depth, &place);
	if (answer < 0)
		return answer;
	AUTO(yaml) struct yaml_node *node = NULL;
	if (event->type == FYET_SCALAR) {
		node = read_word(event, place);
	} else if (event->type == FYET_SEQUENCE_START) {
		node = node_new(YAML_LIST, place);
		answer = read_list(reader, depth, node);
	} else if (event->type == FYET_MAPPING_START) {
		node = node_new(YAML_MAP, place);
		answer = read_map(reader, depth, node);
	} else {
		return refuse(reader, reader->last, "not valid YAML");
	}
	if (answer < 0)
		return answer;
	*ret_node = KEEP(node);
	return 0;
}

/* Passes over the events that frame a document. The type of the one that follows, FYET_NONE on an
 * error with *ret_answer set; its event is left in *ret_event unless it ends the stream. */
static int skip_frames(struct reader *reader, unsigned *n_documents, struct fy_event **ret_event)
{
	for (;;) {
		struct fy_event *event = NULL;
		const int answer = next_event(reader, &event);
		if (answer < 0)
			return answer;
		assert(event);
		const enum fy_event_type type = event->type;
		struct fy_token *start =
			type == FYET_DOCUMENT_START ? event->document_start.document_start : NULL;
		const struct yaml_place place = token_place(reader, start);
		const bool frames = type == FYET_STREAM_START || type == FYET_DOCUMENT_START ||
				    type == FYET_DOCUMENT_END;
		*ret_event = event;
		if (!frames)
			return 0;
		fy_parser_event_free(reader->parser, event);
		if (type == FYET_DOCUMENT_START && ++*n_documents > 1)
			return refuse(reader, place, "a second document, a file holds one");
	}
}

static int read_stream(struct reader *reader, struct yaml_node **ret_root)
{
	AUTO(yaml) struct yaml_node *root = NULL;
	unsigned n_documents = 0;
	struct fy_event *event = NULL;
	int answer = skip_frames(reader, &n_documents, &event);
	if (answer < 0)
		return answer;
	assert(event);
	if (event->type == FYET_STREAM_END) {
		fy_parser_event_free(reader->parser, event);
		return refuse(reader, reader->last, "nothing is written here");
	}
	answer = consume_node(reader, event, /* depth= */ 0, &root);
	if (answer < 0)
		return answer;
	answer = skip_frames(reader, &n_documents, &event);
	if (answer < 0)
		return answer;
	assert(event);
	const bool ended = event->type == FYET_STREAM_END;
	fy_parser_event_free(reader->parser, event);
	if (!ended)
		return refuse(reader, reader->last, "not valid YAML");
	*ret_root = KEEP(root);
	return 0;
}

int yaml_parse(const char *text, size_t length, struct yaml_node **ret_root, struct error *err)
{
	struct reader reader = { .last = { 1, 1 }, .err = err };
	int answer = check_text(&reader, text, length);
	if (answer < 0)
		return answer;
	struct fy_diag_cfg quiet;
	fy_diag_cfg_default(&quiet);
	quiet.fp = NULL;
	reader.diag = fy_diag_create(&quiet);
	fy_diag_set_collect_errors(reader.diag, true);
	const struct fy_parse_cfg configuration = { .flags = FYPCF_QUIET, .diag = reader.diag };
	reader.parser = fy_parser_create(&configuration);
	if (!reader.diag || !reader.parser || fy_parser_set_string(reader.parser, text, length) < 0)
		answer = error_set(err, ENOMEM, "cannot start the YAML reader");
	else
		answer = read_stream(&reader, ret_root);
	if (reader.parser)
		fy_parser_destroy(reader.parser);
	fy_diag_destroy(reader.diag);
	return answer;
}

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
	assert(map->kind == YAML_MAP);
	for (size_t i = 0; i < map->n_items; i++)
		if (text_equal(map->items[i]->key, key))
			return map->items[i];
	return NULL;
}

bool yaml_is_empty(const struct yaml_node *node)
{
	return node->kind == YAML_WORD && node->plain && !node->text[0];
}

const char *yaml_kind_text(const struct yaml_node *node)
{
	if (yaml_is_empty(node))
		return "nothing";
	static const char *const texts[] = { "a word", "a list", "a map" };
	static const char *const empty_texts[] = { "an empty word", "an empty list",
						   "an empty map" };
	const bool is_empty = node->kind == YAML_WORD ? !node->text[0] : node->n_items == 0;
	return is_empty ? empty_texts[node->kind] : texts[node->kind];
}
