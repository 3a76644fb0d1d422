/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a campaign is. See progress.h. */
#include "cli/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

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

void progress_update(const struct campaign_progress *campaign, void *user)
{
	struct progress *progress = user;
	char left[32];
	const uint64_t now = clock_monotonic_ns();
	const uint64_t period = progress->terminal ? TERMINAL_PERIOD_NS : PLAIN_PERIOD_NS;
	write_failure(progress, campaign);
	if (progress->quiet || now - progress->last_ns < period)
		return;
	if (!progress->terminal && !campaign->kept)
		return;
	progress->last_ns = now;
	progress_duration(campaign->remaining_ns, left, sizeof(left));
	(void)fprintf(stderr, "%s[%" PRIu64 "/%" PRIu64 "] %s %s%s%s, about %s left%s",
		      progress->terminal ? "\r\033[K" : "", campaign->runs_done,
		      campaign->runs_planned, campaign->job->workload, campaign->job->subject,
		      campaign->kept ? "" : ": ", campaign->kept ? "" : phase_text(campaign->phase),
		      left, progress->terminal ? "" : "\n");
	progress->line_open = progress->terminal;
	(void)fflush(stderr); /* A progress line that cannot be shown harms nothing. */
}

void progress_end(struct progress *progress)
{
	if (progress->line_open)
		(void)fputs("\r\033[K", stderr);
	progress->line_open = false;
}
