/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan becomes a campaign: it gets a name and a place in the store. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "campaign/campaign.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

/* A name must not be taken for another way to name a side: CAMPAIGN/SUBJECT, run:ID, @key=value. */
static int name_check(const char *name, struct error *err)
{
	if (name[0] == '\0')
		return error_set(err, EINVAL, "the name of a campaign is empty");
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '/' || *at == 0x7f)
			return error_set(err, EINVAL,
					 "the campaign name '%s' holds a '/' or a control "
					 "character: take another",
					 name);
	if (name[0] == '@' || text_starts_with(name, "run:"))
		return error_set(err, EINVAL,
				 "the campaign name '%s' begins with '@' or 'run:', which name "
				 "runs: take another",
				 name);
	return 0;
}

/* "hackbench-2026-09-29-140305", local time. New string. */
static char *name_make(const struct plan *plan)
{
	const char *what = plan->name && plan->name[0] ? plan->name : plan->jobs[0]->workload;
	const time_t now = (time_t)(clock_wall_ns() / NS_PER_SEC);
	char stamp[64] = "";
	struct tm local;

	if (localtime_r(&now, &local))
		(void)strftime(stamp, sizeof(stamp), "%Y-%m-%d-%H%M%S", &local);
	char *name = mem_format("%s-%s", what, stamp);

	for (char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '/' || *at == 0x7f)
			*at = '-';
	return name;
}

int campaign_start(struct store *store, const struct plan *plan, const char *name,
		   int64_t *ret_campaign, struct error *err)
{
	AUTO(text) char *json = plan_to_json(plan);
	int rc = 0;

	assert(plan->n_jobs > 0);
	if (name) {
		rc = name_check(name, err);
		return rc < 0 ? rc
			      : store_campaign_add(store, name, json, plan->n_runs, ret_campaign,
						   err);
	}

	AUTO(text) char *made = name_make(plan);

	if (name_check(made, NULL) < 0) /* A plan's name that begins with '@'. */
		made[0] = 'x';
	rc = store_campaign_add(store, made, json, plan->n_runs, ret_campaign, err);
	for (unsigned i = 2; rc == -EEXIST && i < 100; i++) { /* Two within one second. */
		AUTO(text) char *another = mem_format("%s-%u", made, i);

		rc = store_campaign_add(store, another, json, plan->n_runs, ret_campaign, err);
	}
	return rc;
}
