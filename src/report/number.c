/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many digits a person needs: enough to see the difference, few enough to read it. */
#include "report/number.h"

#include "base/text.h"
#include "report/report.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Below it a p value says nothing more: the assumptions of any test are further off. */
#define SMALLEST_P_SHOWN 1e-12

void report_number(double number, char *buffer, size_t size)
{
	const double magnitude = fabs(number);
	if (!isfinite(number))
		(void)snprintf(buffer, size, "-");
	else if (magnitude >= 1e9)
		(void)snprintf(buffer, size, "%.3e", number);
	else if (magnitude >= 1000.0)
		(void)snprintf(buffer, size, "%.0f", number);
	else if (magnitude >= 1e-4 || fpclassify(number) == FP_ZERO)
		(void)snprintf(buffer, size, "%.4g", fabs(number) > 0.0 ? number : 0.0);
	else
		(void)snprintf(buffer, size, "%.3e", number);
}

void number_change_unit(const struct row *row, const struct finding *finding, char *buffer,
			size_t size)
{
	if (finding->relative)
		(void)snprintf(buffer, size, " %%");
	else if (text_equal(row->metric.unit, "%"))
		(void)snprintf(buffer, size, " pp");
	else if (text_equal(row->metric.unit, "1") || text_equal(row->metric.unit, ""))
		(void)snprintf(buffer, size, "%s", "");
	else
		(void)snprintf(buffer, size, " %s", row->metric.unit);
}

int number_decimals(const struct finding *finding)
{
	const double ends[] = { finding->low, finding->high };
	double largest = fabs(finding->change);
	for (size_t i = 0; i < 2 && finding->tested; i++)
		if (isfinite(ends[i]))
			largest = fmax(largest, fabs(ends[i]));
	if (largest >= 99.95)
		return 0;
	if (largest >= 0.95 || !(largest > 0.0))
		return 1;
	return largest >= 0.095 ? 2 : 3;
}

/* "%+.1f", but 0 has no sign: "+0.0" reads as a small rise. Far below the last decimal the number
 * is written by its digits. */
static void write_signed(double number, int decimals, char *buffer, size_t size)
{
	assert(decimals >= 0 && decimals <= 9);
	const double smallest = 0.5 * pow(10.0, -decimals);
	if (fabs(number) >= 1e9)
		(void)snprintf(buffer, size, "%+.3e", number);
	else if (fabs(number) < smallest)
		(void)snprintf(buffer, size, "%.*f", decimals, 0.0);
	else
		(void)snprintf(buffer, size, "%+.*f", decimals, number);
}

void number_change(const struct row *row, const struct finding *finding, char *buffer, size_t size)
{
	buffer[0] = '\0';
	if (!finding->known)
		return;
	char number[NUMBER_BYTES];
	char unit[NUMBER_BYTES];
	write_signed(finding->change, number_decimals(finding), number, sizeof(number));
	number_change_unit(row, finding, unit, sizeof(unit));
	(void)snprintf(buffer, size, "%s%s", number, unit);
}

void number_interval(double low, double high, int decimals, char *buffer, size_t size)
{
	buffer[0] = '\0';
	if (isnan(low) || isnan(high))
		return;
	char from[NUMBER_BYTES];
	char to[NUMBER_BYTES];
	write_signed(low, decimals, from, sizeof(from));
	write_signed(high, decimals, to, sizeof(to));
	if (isinf(low) && isinf(high))
		(void)snprintf(buffer, size, "no limits");
	else if (isinf(low))
		(void)snprintf(buffer, size, "below %s", to);
	else if (isinf(high))
		(void)snprintf(buffer, size, "above %s", from);
	else
		(void)snprintf(buffer, size, "%s to %s", from, to);
}

void number_p(double p, char *buffer, size_t size)
{
	if (isnan(p))
		(void)snprintf(buffer, size, "-");
	else if (p < SMALLEST_P_SHOWN)
		(void)snprintf(buffer, size, "<%.0e", SMALLEST_P_SHOWN);
	else if (p < 0.001)
		(void)snprintf(buffer, size, "%.0e", p);
	else
		(void)snprintf(buffer, size, "%.2g", p);
}

void number_margin(const struct row *row, const struct finding *finding, char *buffer, size_t size)
{
	char unit[NUMBER_BYTES];
	number_change_unit(row, finding, unit, sizeof(unit));
	(void)snprintf(buffer, size, "%.3g%s", finding->margin, unit);
}

void number_percent(double share, char *buffer, size_t size)
{
	(void)snprintf(buffer, size, "%.6g", 100.0 * share);
}
