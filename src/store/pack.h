/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and texts as the bytes that stand in blobs: little-endian whatever the machine, byte
 * planes and zstd where it pays. Bytes that come back are foreign: every length is checked.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/run.h"

#include <stddef.h>
#include <stdint.h>

/* New block of n little-endian u32 or u64. */
uint8_t *pack_u32(const uint32_t *numbers, size_t n);
uint8_t *pack_u64(const uint64_t *numbers, size_t n);
uint32_t pack_u32_at(const uint8_t *bytes, size_t index);
uint64_t pack_u64_at(const uint8_t *bytes, size_t index);

/* zstd frame of a block, and back; `limit` bounds what a frame may unfold to. */
uint8_t *pack_fold(const void *bytes, size_t length, size_t *ret_length);
int pack_unfold(const void *frame, size_t frame_length, size_t limit, uint8_t **ret_bytes,
		size_t *ret_length, struct error *err);

/* The samples of a series (not its monitor and channels); assay-store(5) says how. -EFBIG when
 * they are beyond the limit. */
int pack_series(const struct series *series, uint8_t **ret_bytes, size_t *ret_length,
		struct error *err);
/* `series` has its channels and n_samples; gets times and readings. */
int pack_series_back(const void *bytes, size_t length, struct series *series, struct error *err);

DEFINE_AUTO(bytes, uint8_t *, free); /* A block that one of these made. */
