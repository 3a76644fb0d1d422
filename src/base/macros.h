/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes that carry a contract in a prototype, and the few macros that C lacks.
 * Nothing here has state or cost; no other header of base/ is needed to use it.
 */
#pragma once

#include <stddef.h>

#define NODISCARD __attribute__((warn_unused_result))
#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))
#define NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#define NORETURN __attribute__((noreturn))
#define PURE __attribute__((pure))

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Number of elements of a true array. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
