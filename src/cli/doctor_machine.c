/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's checks of the machine itself: how steady its clock is, and who else uses it. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/doctor_check.h"
#include "record/run.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define STEAL_PERCENT_MAX 1.0
#define BUSY_PERCENT_MAX 5.0
#define CPUS_FEW 4
#define CPU "/sys/devices/system/cpu"

static bool look_steal(const struct doctor_patient *patient, struct doctor_words *found)
{
	return patient->has_shares && patient->steal_percent > STEAL_PERCENT_MAX &&
	       doctor_say(found,
			  mem_format("the hypervisor takes %.1f %% of the CPU time now",
				     patient->steal_percent),
			  mem_text(DOCTOR_GUEST "; ask for CPUs of its own on the host"));
}

static bool look_busy(const struct doctor_patient *patient, struct doctor_words *found)
{
	double load = 0;
	uint64_t cpus = 0;
	const char *mend = "top -b -n 1 -o %CPU | head -20, and stop what it shows";
	if (patient->has_shares)
		return patient->busy_percent > BUSY_PERCENT_MAX &&
		       doctor_say(found,
				  mem_format("%.0f %% of the CPU time is in use now",
					     patient->busy_percent),
				  mem_text(mend));
	const char *text = doctor_fact(patient, "load.1");
	return text && text_parse_f64(text, &load) &&
	       doctor_fact_number(patient, "cpu.count", &cpus) && load * 10 > (double)cpus &&
	       doctor_say(
		       found,
		       mem_format("the load was %s on %llu CPUs", text, (unsigned long long)cpus),
		       mem_text(mend));
}

static bool look_guest(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_is_guest(patient) &&
	       doctor_say(found,
			  mem_format("this is a guest (%s)", doctor_fact(patient, "hypervisor")),
			  mem_text(DOCTOR_GUEST
				   "; measure on the bare machine where small changes matter"));
}

static bool look_battery(const struct doctor_patient *patient, struct doctor_words *found)
{
	return doctor_fact_is(patient, "power.source", "battery") &&
	       doctor_say(found, mem_text("the machine runs on its battery"),
			  mem_text("plug in the mains adapter"));
}

static bool look_throttling(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t core = 0;
	uint64_t package = 0;
	(void)doctor_fact_number(patient, "throttle.core", &core);
	(void)doctor_fact_number(patient, "throttle.package",
				 &package); /* What is missing counts nothing. */
	return core + package > 0 &&
	       doctor_say(
		       found,
		       mem_format("the processor was too hot %" PRIu64 " times since it was booted",
				  core + package),
		       mem_text(
			       "cool it, or cap it: sudo cpupower frequency-set --max FREQUENCY (one that it can hold)"));
}

static bool look_governor(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *governor = doctor_fact(patient, "cpu.governor");
	return governor && strcmp(governor, "performance") != 0 &&
	       doctor_say(found, mem_format("the frequency governor is %s", governor),
			  mem_text("echo performance | sudo tee " CPU
				   "/cpu*/cpufreq/scaling_governor"));
}

static bool look_turbo(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *driver = doctor_fact(patient, "cpu.frequency_driver");
	const bool is_intel = driver && text_starts_with(driver, "intel");
	return doctor_fact_is(patient, "cpu.turbo", "on") &&
	       doctor_say(found, mem_text("turbo is on"),
			  mem_text(is_intel ? "echo 1 | sudo tee " CPU "/intel_pstate/no_turbo"
					    : "echo 0 | sudo tee " CPU "/cpufreq/boost"));
}

/* C2 and deeper; POLL, C1 and C1E are left within a microsecond or two. */
static bool is_deep(const char *state)
{
	if (state[0] != 'C' || !isdigit((unsigned char)state[1]))
		return false;
	return state[1] != '1' || isdigit((unsigned char)state[2]);
}

static bool look_idle(const struct doctor_patient *patient, struct doctor_words *found)
{
	const char *states = doctor_fact(patient, "cpu.idle_states");
	bool deep = false;
	for (const char *at = states; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
		deep = deep || is_deep(at);
	return deep && doctor_say(found, mem_format("deep idle states are on: %s", states),
				  mem_text("sudo cpupower idle-set --disable-by-latency 10"));
}

static bool look_siblings(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t threads = 0;
	if (!doctor_fact_number(patient, "cpu.threads_per_core", &threads) || threads < 2)
		return false;
	const bool can_switch = doctor_fact_is(patient, "cpu.smt.control", "on");
	return doctor_say(
		found,
		mem_format("%llu hardware threads share each core", (unsigned long long)threads),
		mem_text(can_switch                 ? "echo off | sudo tee " CPU "/smt/control"
			 : doctor_is_guest(patient) ? DOCTOR_GUEST "; switch SMT off on the host"
						    : "boot with nosmt"));
}

static bool look_clock(const struct doctor_patient *patient, struct doctor_words *found)
{
	static const char *const fast[] = {
		"tsc",      "kvm-clock", "arch_sys_counter",  "hyperv_clocksource_tsc_page",
		"timebase", "tod",       "riscv_clocksource", "stick"
	};
	const char *clock = doctor_fact(patient, "clock.source");
	const char *available = doctor_fact(patient, "clock.available");
	for (size_t i = 0; clock && i < ARRAY_SIZE(fast); i++)
		if (strcmp(clock, fast[i]) == 0)
			return false;
	if (!clock)
		return false;
	const bool has_tsc = available && strstr(available, "tsc");
	return doctor_say(
		found, mem_format("the clock is %s", clock),
		mem_text(
			has_tsc ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
				: "sudo dmesg | grep -i -e tsc -e clocksource says why; boot with tsc=reliable where it is"));
}

static bool look_few_cpus(const struct doctor_patient *patient, struct doctor_words *found)
{
	uint64_t cpus = 0;
	return doctor_fact_number(patient, "cpu.count", &cpus) && cpus < CPUS_FEW &&
	       doctor_say(found, mem_format("there are only %llu CPUs", (unsigned long long)cpus),
			  mem_text(doctor_is_guest(patient) ? DOCTOR_GUEST
					   "; give it more CPUs on the host"
							    : "use a larger machine"));
}

static bool look_pmu(const struct doctor_patient *patient, struct doctor_words *found)
{
	const struct fact *pmu = run_fact_find(patient->run, "pmu.cpu");
	return patient->is_live && pmu && pmu->state == VALUE_MISSING &&
	       pmu->why == MISSING_ABSENT &&
	       doctor_say(
		       found, mem_text("there are no hardware performance counters"),
		       mem_text(
			       doctor_is_guest(patient)
				       ? DOCTOR_GUEST
				       "; give it a virtual PMU on the host (QEMU: -cpu host,pmu=on)"
				       : "sudo dmesg | grep -i 'performance events' says why"));
}

static bool look_leftovers(const struct doctor_patient *patient, struct doctor_words *found)
{
	return patient->leftovers &&
	       doctor_say(found,
			  mem_format("a crashed run left settings applied: %s", patient->leftovers),
			  mem_text("sudo assay run getppid1 --runs 1 (every run and resume puts "
				   "them back first)"));
}

const struct doctor_check doctor_machine_checks[] = {
	{ "leftovers", DOCTOR_WRONG, "the machine is not as its owner set it, in every result",
	  look_leftovers },
	{ "battery", DOCTOR_WRONG, "the firmware saves power at the cost of speed", look_battery },
	{ "steal", DOCTOR_NOISY, "time that is stolen looks like a slower kernel", look_steal },
	{ "load", DOCTOR_NOISY, "other work takes CPUs, caches and memory bandwidth away",
	  look_busy },
	{ "throttling", DOCTOR_NOISY, "a hot processor lowers its clock in the middle of a run",
	  look_throttling },
	{ "governor", DOCTOR_NOISY,
	  "the clock follows the load, so that idle gaps make the rest slower", look_governor },
	{ "turbo", DOCTOR_NOISY, "the clock depends on temperature and on how many cores are busy",
	  look_turbo },
	{ "idle-states", DOCTOR_NOISY,
	  "leaving a deep state takes up to hundreds of microseconds a wake-up", look_idle },
	{ "siblings", DOCTOR_NOISY, "a thread is slowed by whatever runs on its sibling",
	  look_siblings },
	{ "clock", DOCTOR_NOISY,
	  "reading such a clock takes about a microsecond and needs a system call", look_clock },
	{ "guest", DOCTOR_NOISY,
	  "the host's other work, its page tables and its timers are in every number", look_guest },
	{ "few-cpus", DOCTOR_NOTE,
	  "interrupts, the harness and the workload share them; scaling is not seen",
	  look_few_cpus },
	{ "pmu", DOCTOR_NOTE, "cycles, instructions and cache misses cannot be counted", look_pmu },
};
const size_t doctor_machine_checks_count = ARRAY_SIZE(doctor_machine_checks);
