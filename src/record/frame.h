/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The outer shape of the record stream and its limits, shared by the writing half (wire.c) and the
 * reading half (stream.c, decode.c) and by nobody else. Format: assay-record(5).
 *
 *     offset 0   4 bytes   sync, FRAME_SYNC
 *            4   u8        type, enum wire_type
 *            5   u8        flags, 0; a frame with others cannot be understood by this version
 *            6   u16       reserved, 0; not looked at
 *            8   u32       length of the payload
 *           12   u32       CRC-32C of the first 12 bytes and the payload
 *           16             payload
 *
 * All numbers are little-endian. No byte of the sync occurs twice in it, so that a search never
 * has to step back, and 0xfe and 0xc1 occur in no UTF-8 text.
 */
#pragma once

#include <stdint.h>

#define FRAME_SYNC "\xfe\xa5\x9e\xc1"
#define FRAME_SYNC_BYTES 4
#define FRAME_TYPE_AT 4
#define FRAME_FLAGS_AT 5
#define FRAME_LENGTH_AT 8
#define FRAME_CHECK_AT 12
#define FRAME_HEADER_BYTES 16

/* A reading is one byte, state in the low 2 bits and reason above, and 8 more when it is known. */
#define FRAME_READING_BYTES_MAX 9
#define FRAME_STATE_BITS 2
#define FRAME_STATE_MASK 3U

/* Longest texts, in bytes without a terminator; longer ones are cut by the writer and make a frame
 * malformed for the reader. A name is 191 bytes, METRIC_NAME_BYTES with its terminator. */
#define FRAME_NAME_MAX 191U
#define FRAME_MONITOR_NAME_MAX 63U
#define FRAME_UNIT_MAX 63U
#define FRAME_LINE_MAX 1023U
#define FRAME_TEXT_MAX 65535U
