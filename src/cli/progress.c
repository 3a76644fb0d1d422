/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a campaign is. See progress.h. */
#include "cli/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/ioctl.h>

#define TERMINAL_PERIOD_NS (200 * NS_PER_MS)
#define PLAIN_PERIOD_NS (10 * NS_PER_SEC)

void progress_start(struct progress *progress, bool quiet)
{
	*progress = (struct progress) { .terminal = isatty(STDERR_FILENO), .quiet = quiet };
}

void progress_duration(uint64_t ns, char *buffer, size_t size)
{
	const uint64_t seconds = (ns + NS_PER_SEC / 2) / NS_PER_SEC;
	if (seconds < 60)
		(void)snprintf(buffer, size, "%" PRIu64 " s", seconds);
	else if (seconds < 3600)
		(void)snprintf(buffer, size, "%" PRIu64 " min %" PRIu64 " s", seconds / 60,
			       seconds % 60);
	else
		(void)snprintf(buffer, size, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600,
			       seconds % 3600 / 60);
}

/* Does another point of the plan have another value of the argument? */
static bool is_varied(const struct plan *plan, const struct job *job,
		      const struct argument *argument)
{
	for (size_t i = 0; i < plan->n_jobs; i++) {
		const struct job *other = plan->jobs[i];
		if (!text_equal(other->workload, job->workload) ||
		    !text_equal(other->subject, job->subject))
			continue;
		if (!text_equal(job_argument(other, argument->name), argument->value))
			return true;
	}
	return false;
}

/* What tells the point of the job from the others of the plan: " groups=4", or "". New string. */
static char *describe_point(const struct plan *plan, const struct job *job)
{
	struct text text = { 0 };
	for (size_t i = 0; plan && i < job->n_arguments; i++)
		if (is_varied(plan, job, &job->arguments[i]))
			text_add(&text, " %s=%s", job->arguments[i].name, job->arguments[i].value);
	return text_take(&text);
}

static void write_failure(struct progress *progress, const struct campaign_progress *campaign)
{
	if (!campaign->kept || campaign->run->outcome == RUN_COMPLETE)
		return;
	AUTO(text) char *point = describe_point(campaign->plan, campaign->job);
	(void)fprintf(stderr, "%srun %" PRIu64 " of %s%s, subject %s: %s: %s",
		      progress->line_open ? "\r\033[K" : "", campaign->sequence + 1,
		      campaign->job->workload, point, campaign->job->subject,
		      run_outcome_text(campaign->run->outcome), campaign->run->reason);
	if (campaign->run_id > 0)
		(void)fprintf(stderr, " (assay show %" PRId64 " --log)", campaign->run_id);
	(void)fputc('\n', stderr);
	progress->line_open = false;
}

/* "at most": what is decided earlier is not carried out. */
static void add_time(struct text *line, const struct campaign_progress *campaign)
{
	char left[32];
	const struct plan *plan = campaign->plan;
	const bool decided = plan && plan->stopping.until_decided;
	progress_duration(campaign->remaining_ns, left, sizeof(left));
	text_add(line, ", %s %s left", decided ? "at most" : "about", left);
}

static void add_run(struct text *line, const struct campaign_progress *campaign)
{
	text_add(line, "[%" PRIu64 "/%" PRIu64 "] %s %s", campaign->runs_done,
		 campaign->runs_planned, campaign->job->workload, campaign->job->subject);
	if (campaign->warm_up)
		text_add(line, ": warm-up block");
	else if (!campaign->kept)
		text_add(line, ": %s", phase_text(campaign->phase));
	add_time(line, campaign);
}

/* Complete runs of the side that has fewer. */
static uint64_t runs_a_side(const struct comparison *comparison, size_t side)
{
	const size_t base = comparison->counts[0].outcomes[RUN_COMPLETE];
	const size_t head = comparison->counts[side].outcomes[RUN_COMPLETE];
	return base < head ? base : head;
}

/* " +2.1 % [+1.0, +3.2]". */
static void add_estimate(struct text *line, const struct row *row, const struct finding *finding)
{
	if (finding->relative)
		text_add(line, " %+.1f %%", finding->change);
	else
		text_add(line, " %+.3g %s", finding->change,
			 text_equal(row->metric.unit, "%") ? "pp" : row->metric.unit);
	/* Before the first look there is an interval without a test. */
	if (isfinite(finding->low) && isfinite(finding->high) && finding->low < finding->high)
		text_add(line, finding->relative ? " [%+.1f, %+.1f]" : " [%+.3g, %+.3g]",
			 finding->low, finding->high);
}

static void add_runs(struct text *line, const char *how, uint64_t n)
{
	text_add(line, ", %s%" PRIu64 " run%s to go", how, n, n == 1 ? "" : "s");
}

static void add_verdict(struct text *line, const struct plan *plan, const struct finding *finding,
			uint64_t runs)
{
	const uint64_t most = plan->stopping.runs_max;
	const uint64_t left = most > runs ? most - runs : 0;
	const bool open =
		finding->verdict == VERDICT_UNDECIDED || finding->verdict == VERDICT_WITHHELD;
	if (!plan->stopping.until_decided) { /* Judged once, when all runs are there. */
		add_runs(line, "", left);
		return;
	}
	if (runs < EXPERIMENT_FIRST_LOOK) {
		text_add(line, ", judged from %d runs on", EXPERIMENT_FIRST_LOOK);
		return;
	}
	text_add(line, " %s", verdict_text(finding->verdict));
	if (!open)
		return;
	if (finding->runs_wanted > runs && finding->runs_wanted <= most)
		add_runs(line, "about ", finding->runs_wanted - runs);
	else
		add_runs(line, "at most ", left);
}

/* What the last look found of each score of each head. */
static void add_findings(struct text *line, const struct campaign_progress *campaign)
{
	const struct comparison *comparison = campaign->comparison;
	const struct plan *plan = campaign->plan;
	if (!comparison || !plan)
		return;
	AUTO(text) char *point = describe_point(plan, comparison->sides[0].job);
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		for (size_t side = 1; side < comparison->n_sides; side++) {
			const struct finding *finding = &row->findings[side];
			if (row->metric.role != ROLE_SCORE || !finding->known)
				continue;
			text_add(line, "; %s%s", row->metric.name, point);
			if (comparison->n_sides > 2)
				text_add(line, " %s", comparison->sides[side].name);
			add_estimate(line, row, finding);
			add_verdict(line, plan, finding, runs_a_side(comparison, side));
		}
	}
}

/* Columns of the terminal that the line must fit in, without the last one; 0 = no limit. */
static size_t columns(void)
{
	struct winsize size;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 2)
		return 0;
	return size.ws_col - 1U;
}

void progress_update(const struct campaign_progress *campaign, void *user)
{
	struct progress *progress = user;
	const uint64_t now = clock_monotonic_ns();
	const uint64_t period = progress->terminal ? TERMINAL_PERIOD_NS : PLAIN_PERIOD_NS;
	write_failure(progress, campaign);
	if (progress->quiet || now - progress->last_ns < period)
		return;
	if (!progress->terminal && !campaign->kept)
		return;
	progress->last_ns = now;
	struct text line AUTO(text_buffer) = { 0 };
	add_run(&line, campaign);
	add_findings(&line, campaign);
	const size_t most = progress->terminal ? columns() : 0;
	const size_t length = most > 0 && line.length > most ? most : line.length;
	(void)fprintf(stderr, "%s%.*s%s", progress->terminal ? "\r\033[K" : "", (int)length,
		      text_string(&line), progress->terminal ? "" : "\n");
	progress->line_open = progress->terminal;
	(void)fflush(stderr); /* A progress line that cannot be shown harms nothing. */
}

void progress_end(struct progress *progress)
{
	if (progress->line_open)
		(void)fputs("\r\033[K", stderr);
	progress->line_open = false;
}
