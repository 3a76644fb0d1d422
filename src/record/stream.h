/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record stream, reading half: bytes in any portions in, a run out. Foreign or damaged bytes
 * never crash it and never give an absurd number: what cannot be read is skipped to the next intact
 * frame and counted.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

struct stream *stream_new(void);
void stream_free(struct stream *stream);

/* Takes the next bytes. -EBADMSG when the stream is of a newer format version (the sentence says
 * which), else 0. */
int stream_feed(struct stream *stream, const void *bytes, size_t length, struct error *err);

/* The phase that the run has reached, for a progress line. */
enum phase stream_phase(const struct stream *stream);
bool stream_has_ended(const struct stream *stream); /* The last word has come. */
size_t
stream_skipped_bytes(const struct stream *stream); /* Bytes that belonged to no intact frame. */

/* Ends reading and gives the run: metrics reduced over the measured window, missing states filled
 * in, outcome torn when no last word came. The caller owns it. The stream is empty afterwards. */
struct run *stream_finish(struct stream *stream);

DEFINE_AUTO(stream, struct stream *, stream_free);
