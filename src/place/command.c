/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe's command line. See command.h. */
#include "place/command.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void command_done(struct command *command)
{
	for (size_t i = 0; i < command->n_words; i++)
		free(command->words[i]);
	for (size_t i = 0; i < command->n_environment; i++)
		free(command->environment[i]);
	free(command->words);
	free(command->environment);
	*command = (struct command) { 0 };
}

/* Takes the string; keeps the array NULL-terminated. */
static void append(char ***list, size_t *n, size_t *capacity, char *owned)
{
	*list = mem_grow(*list, capacity, *n + 2, sizeof(**list));
	(*list)[(*n)++] = owned;
	(*list)[*n] = NULL;
}

static void add_word(struct command *command, const char *word)
{
	append(&command->words, &command->n_words, &command->words_capacity, mem_text(word));
}

static void add_number(struct command *command, const char *option, uint64_t number)
{
	add_word(command, option);
	append(&command->words, &command->n_words, &command->words_capacity,
	       mem_format("%" PRIu64, number));
}

/* Sets NAME=VALUE, replacing an earlier one. */
static void set_environment(struct command *command, const char *name, const char *value)
{
	char *entry = mem_format("%s=%s", name, value);
	const size_t name_length = strlen(name) + 1;
	for (size_t i = 0; i < command->n_environment; i++) {
		if (strncmp(command->environment[i], entry, name_length) == 0) {
			free(command->environment[i]);
			command->environment[i] = entry;
			return;
		}
	}
	append(&command->environment, &command->n_environment, &command->environment_capacity,
	       entry);
}

static void copy_environment(struct command *command)
{
	for (char *const *entry = environ; *entry; entry++)
		append(&command->environment, &command->n_environment,
		       &command->environment_capacity, mem_text(*entry));
}

static int add_prefix(struct command *command, const char *prefix, struct error *err)
{
	AUTO(text) char *words = mem_text(prefix);
	char *rest = NULL;
	const size_t before = command->n_words;
	for (char *word = strtok_r(words, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		add_word(command, word);
	if (command->n_words == before)
		return error_set(err, EINVAL, "the subject's prefix is empty");
	return 0;
}

static const char *setting_value(const struct job *job, enum setting_kind kind)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == kind)
			return job->settings[i].value;
	return NULL;
}

/* The parameter `program` of the workload `command` with its first word replaced; words are quoted
 * there as the workload reads them. */
static char *replace_binary(const char *program, const char *binary)
{
	const char *rest = program + strspn(program, " ");
	char quote = '\0';
	for (; *rest && (quote || *rest != ' '); rest++) {
		if (*rest == quote)
			quote = '\0';
		else if (!quote && (*rest == '\'' || *rest == '"'))
			quote = *rest;
	}
	const char *mark = "";
	if (strpbrk(binary, " \"'"))
		mark = strchr(binary, '\'') ? "\"" : "'";
	return mem_format("%s%s%s%s", mark, binary, mark, rest);
}

static int add_arguments(struct command *command, const struct job *job, struct error *err)
{
	const char *binary = setting_value(job, SETTING_BINARY);
	if (binary && strcmp(job->workload, "command") != 0)
		return error_set(err, EINVAL,
				 "a binary as subject needs the workload 'command'; '%s' is built "
				 "into the probe",
				 job->workload);
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		const bool replaced = binary && strcmp(argument->name, "program") == 0;
		AUTO(text)
		char *value = replaced ? replace_binary(argument->value, binary)
				       : mem_text(argument->value);
		add_word(command, "--set");
		append(&command->words, &command->n_words, &command->words_capacity,
		       mem_format("%s=%s", argument->name, value));
	}
	return 0;
}

static void add_options(struct command *command, const struct place_options *options,
			const struct job *job, char *const *joins)
{
	for (size_t i = 0; i < job->n_monitors; i++) {
		add_word(command, "--monitor");
		add_word(command, job->monitors[i]);
	}
	add_number(command, "--interval-ms", job->interval_ns / NS_PER_MS);
	add_number(command, "--time-limit-ms", job->time_limit_ns / NS_PER_MS);
	add_number(command, "--fd", COMMAND_STREAM_FD);
	if (options->root) {
		add_word(command, "--root");
		add_word(command, options->root);
	}
	if (options->isolation) {
		add_word(command, "--isolation");
		add_word(command, options->isolation);
	}
	for (size_t i = 0; joins && joins[i]; i++) {
		add_word(command, "--join-cgroup");
		add_word(command, joins[i]);
	}
	const char *instances = setting_value(job, SETTING_INSTANCES);
	if (instances) {
		add_word(command, "--instances");
		add_word(command, instances);
	}
}

int command_make(struct command *command, const struct place_options *options,
		 const struct job *job, char *const *joins, struct error *err)
{
	AUTO(text) char *probe = NULL;
	int failed = command_probe_find(options, &probe, err);
	if (failed)
		return failed;
	copy_environment(command);
	for (size_t i = 0; i < job->n_settings && !failed; i++) {
		const struct setting *setting = &job->settings[i];
		if (setting->kind == SETTING_ENV)
			set_environment(command, setting->key, setting->value);
		else if (setting->kind == SETTING_PREFIX)
			failed = add_prefix(command, setting->value, err);
	}
	if (failed)
		return failed;
	add_word(command, probe);
	add_word(command, "--workload");
	add_word(command, job->workload);
	failed = add_arguments(command, job, err);
	if (!failed)
		add_options(command, options, job, joins);
	return failed;
}

/* The directory of this program, or NULL. New string. */
static char *own_directory(void)
{
	char path[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return NULL;
	path[length] = '\0';
	char *slash = strrchr(path, '/');
	return slash ? mem_text_n(path, (size_t)(slash - path)) : NULL;
}

int command_probe_find(const struct place_options *options, char **ret_path, struct error *err)
{
	static const char *const beside[] = { "assay-probe", "../libexec/assay/assay-probe",
					      "../probe/assay-probe" };
	const char *named = options->probe_path ? options->probe_path : getenv("ASSAY_PROBE");
	if (named) {
		if (access(named, X_OK) < 0)
			return error_errno(err, errno, "cannot run the probe '%s'", named);
		*ret_path = mem_text(named);
		return 0;
	}
	AUTO(text) char *directory = own_directory();
	for (size_t i = 0; directory && i < ARRAY_SIZE(beside); i++) {
		AUTO(text) char *path = mem_format("%s/%s", directory, beside[i]);
		if (access(path, X_OK) == 0) {
			*ret_path = KEEP(path);
			return 0;
		}
	}
	return error_set(err, ENOENT,
			 "cannot find assay-probe beside '%s' (nor in ../libexec/assay, nor in "
			 "ASSAY_PROBE); is assay installed whole?",
			 directory ? directory : "this program");
}
