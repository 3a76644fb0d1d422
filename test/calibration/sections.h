/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the calibration. Each prints itself and checks its claims. */
#pragma once

#include "calibration/tally.h"

void section_disturbed(struct calibration *calibration);
void section_shapes(struct calibration *calibration);
void section_family(struct calibration *calibration);
void section_power(struct calibration *calibration);
void section_interval(struct calibration *calibration);
void section_sequential(struct calibration *calibration);
void section_evidence(struct calibration *calibration);
