/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay doctor --aa`: how often does this machine cry wolf? */
#pragma once

#include "cli/options.h"
#include "record/run.h"

/* Measures, keeps and prints the false-alarm rate of the workload that the command line names, or of
 * all workloads that the store has runs of on this type of machine. `facts` tell the machine. Gives
 * an exit code; has printed its own errors. */
int doctor_alarms(const struct parsed *parsed, const struct run *facts);
