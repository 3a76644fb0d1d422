/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading ELF files. See elf_file.h. */
#include "revision/elf_file.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

void elf_file_free(struct elf_file *elf)
{
	if (!elf)
		return;
	free(elf->functions);
	free(elf->bytes);
	free(elf);
}

/* `size` bytes at `offset` lie inside the file. */
static bool is_inside(const struct elf_file *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->length && size <= elf->length - offset;
}

static bool read_head(const struct elf_file *elf, Elf64_Ehdr *ret_head)
{
	if (elf->length < sizeof(*ret_head) || memcmp(elf->bytes, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(ret_head, elf->bytes, sizeof(*ret_head));
	return ret_head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       ret_head->e_ident[EI_DATA] == OWN_ORDER &&
	       (ret_head->e_type == ET_EXEC || ret_head->e_type == ET_DYN) &&
	       ret_head->e_shentsize == sizeof(Elf64_Shdr) && ret_head->e_shnum > 0 &&
	       is_inside(elf, ret_head->e_shoff, (uint64_t)ret_head->e_shnum * sizeof(Elf64_Shdr));
}

static Elf64_Shdr section(const struct elf_file *elf, const Elf64_Ehdr *head, size_t index)
{
	Elf64_Shdr found;
	assert(index < head->e_shnum);
	memcpy(&found, elf->bytes + head->e_shoff + index * sizeof(found), sizeof(found));
	return found;
}

/* A terminated string of a table of strings; "" when it is outside. */
static const char *string_at(const struct elf_file *elf, const Elf64_Shdr *strings, uint64_t at)
{
	if (!is_inside(elf, strings->sh_offset, strings->sh_size) || at >= strings->sh_size)
		return "";
	const char *string = elf->bytes + strings->sh_offset + at;
	return memchr(string, '\0', strings->sh_size - at) ? string : "";
}

static int by_address(const void *one, const void *other)
{
	const struct elf_file_function *a = one;
	const struct elf_file_function *b = other;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void read_functions(struct elf_file *elf, const Elf64_Ehdr *head)
{
	size_t capacity = 0;
	for (size_t i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr table = section(elf, head, i);
		if (table.sh_type != SHT_SYMTAB || table.sh_link >= head->e_shnum ||
		    !is_inside(elf, table.sh_offset, table.sh_size))
			continue;
		const Elf64_Shdr strings = section(elf, head, table.sh_link);
		for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size;
		     at += sizeof(Elf64_Sym)) {
			Elf64_Sym symbol;
			memcpy(&symbol, elf->bytes + table.sh_offset + at, sizeof(symbol));
			if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0)
				continue;
			elf->functions = mem_grow(elf->functions, &capacity, elf->n_functions + 1,
						  sizeof(*elf->functions));
			elf->functions[elf->n_functions++] =
				(struct elf_file_function) { string_at(elf, &strings,
								       symbol.st_name),
							     symbol.st_value, symbol.st_size };
		}
	}
	if (elf->n_functions > 1)
		qsort(elf->functions, elf->n_functions, sizeof(*elf->functions), by_address);
}

static bool begins_as_elf(const char *path)
{
	char magic[SELFMAG + 1] = "";
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	return fd >= 0 && fs_pread_all(fd, magic, sizeof(magic)) == SELFMAG &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

int elf_file_read(const char *path, struct elf_file **ret_elf, struct error *err)
{
	Elf64_Ehdr head;
	if (!begins_as_elf(path))
		return -ENOEXEC;
	AUTO(elf_file) struct elf_file *elf = mem_zero(sizeof(*elf));
	const int failed =
		fs_read_whole_at(AT_FDCWD, path, ELF_BYTES_MAX, &elf->bytes, &elf->length, err);
	if (failed)
		return failed;
	if (!read_head(elf, &head))
		return -ENOEXEC;
	read_functions(elf, &head);
	*ret_elf = KEEP(elf);
	return 0;
}

/* Overwrites each `hide` in the copied bytes. */
static void blank_out(char *bytes, size_t length, const char *hide)
{
	const size_t size = strlen(hide);
	for (char *at = bytes; size > 0 && length - (size_t)(at - bytes) >= size;) {
		char *found = memmem(at, length - (size_t)(at - bytes), hide, size);
		if (!found)
			break;
		memset(found, ' ', size);
		at = found + size;
	}
}

void elf_file_hash(const struct elf_file *elf, const char *hide,
		   char ret_hex[static CHECKSUM_SHA256_HEX])
{
	Elf64_Ehdr head;
	AUTO(text_buffer) struct text all = { 0 };
	const bool readable = read_head(elf, &head);
	assert(readable); /* elf_file_read() has seen it. */
	Elf64_Shdr names = { 0 };
	if (head.e_shstrndx < head.e_shnum)
		names = section(elf, &head, head.e_shstrndx);
	for (size_t i = 0; i < head.e_shnum; i++) {
		const Elf64_Shdr loaded = section(elf, &head, i);
		const char *name = string_at(elf, &names, loaded.sh_name);
		/* The build id is a hash of the debugging data too. */
		if (!(loaded.sh_flags & SHF_ALLOC) || strcmp(name, ".note.gnu.build-id") == 0)
			continue;
		text_add(&all, "%s %lx %lx %u\n", name, (unsigned long)loaded.sh_addr,
			 (unsigned long)loaded.sh_size, loaded.sh_type);
		if (loaded.sh_type == SHT_NOBITS ||
		    !is_inside(elf, loaded.sh_offset, loaded.sh_size))
			continue;
		char *bytes = mem_zero(loaded.sh_size + 1);
		memcpy(bytes, elf->bytes + loaded.sh_offset, loaded.sh_size);
		blank_out(bytes, loaded.sh_size, hide);
		char hex[CHECKSUM_SHA256_HEX];
		checksum_sha256_hex(bytes, loaded.sh_size, hex);
		text_add(&all, "%s\n", hex);
		free(bytes);
	}
	checksum_sha256_hex(text_string(&all), all.length, ret_hex);
}

double elf_file_aligned(const struct elf_file *elf, uint64_t bytes)
{
	size_t n = 0;
	assert(bytes > 0);
	for (size_t i = 0; i < elf->n_functions; i++)
		n += elf->functions[i].address % bytes == 0;
	return elf->n_functions ? (double)n / (double)elf->n_functions : 0.0;
}
