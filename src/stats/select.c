/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The k largest so far stand in a heap whose top is the smallest of them. */
#include "stats/select.h"

#include <assert.h>

static void sink(double *heap, size_t n, size_t at)
{
	const double number = heap[at];
	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= n)
			break;
		if (child + 1 < n && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= number)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = number;
}

double select_largest(const double *numbers, size_t n, size_t k, double *heap)
{
	assert(k >= 1 && k <= n);
	for (size_t i = 0; i < k; i++)
		heap[i] = numbers[i];
	for (size_t i = k / 2; i-- > 0;)
		sink(heap, k, i);
	for (size_t i = k; i < n; i++) {
		if (numbers[i] > heap[0]) {
			heap[0] = numbers[i];
			sink(heap, k, 0);
		}
	}
	return heap[0];
}
