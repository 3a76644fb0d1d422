/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine around the processor: what it is called, whether it is a guest, its clock, its disks, its power. */
#include "base/fs.h"
#include "base/macros.h"
#include "base/text.h"
#include "probe/environment_fact.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DMI_FOLDER "sys/class/dmi/id"
#define CLOCK_FOLDER "sys/devices/system/clocksource/clocksource0"
#define CPUINFO_BYTES 16384

/* What the firmware of a guest calls its machine. Words of the vendor or the product, most telling first. */
static const struct {
	const char *word;
	const char *hypervisor;
} guests[] = {
	{ "QEMU", "qemu" },
	{ "KVM", "kvm" },
	{ "Amazon EC2", "nitro" },
	{ "Google Compute Engine", "kvm" },
	{ "VMware", "vmware" },
	{ "VirtualBox", "virtualbox" },
	{ "Virtual Machine", "hyperv" },
	{ "Xen", "xen" },
	{ "OpenStack", "kvm" },
	{ "Parallels", "parallels" },
	{ "BHYVE", "bhyve" },
	{ "Apple Virtualization", "apple" },
};

static const char *guest_of_firmware(int root_fd)
{
	char vendor[128] = "";
	char product[128] = "";
	(void)fs_read_line_at(root_fd, DMI_FOLDER "/sys_vendor", vendor, sizeof(vendor));
	(void)fs_read_line_at(root_fd, DMI_FOLDER "/product_name", product,
			      sizeof(product)); /* Both stay "" where there is no such firmware. */
	for (size_t i = 0; i < ARRAY_SIZE(guests); i++)
		if (strstr(vendor, guests[i].word) || strstr(product, guests[i].word))
			return guests[i].hypervisor;
	return NULL;
}

/* A clock that only a hypervisor offers names it. */
static const char *guest_of_clock(int root_fd)
{
	char clocks[256];
	if (fs_read_line_at(root_fd, CLOCK_FOLDER "/available_clocksource", clocks,
			    sizeof(clocks)) < 0)
		return NULL;
	return strstr(clocks, "kvm-clock") ? "kvm"
	       : strstr(clocks, "hyperv")  ? "hyperv"
	       : strstr(clocks, "xen")     ? "xen"
					   : NULL;
}

/* 1: the processor's flags say guest; 0: they say machine; -1: this architecture has no such flag. */
static int guest_flag(int root_fd)
{
	char cpuinfo[CPUINFO_BYTES];
	if (fs_read_at(root_fd, "proc/cpuinfo", cpuinfo, sizeof(cpuinfo)) < 0)
		return -1;
	char *flags = strstr(cpuinfo, "\nflags");
	if (!flags)
		return -1;
	flags[1 + strcspn(flags + 1, "\n")] = '\0';
	return strstr(flags, " hypervisor") ? 1 : 0;
}

/*
 * On x86 the flag decides, since the firmware of bare machines in a cloud names the cloud as well; elsewhere firmware
 * and clock do.
 */
static void record_hypervisor(struct environment *environment)
{
	const int root_fd = environment->root_fd;
	const int flag = guest_flag(root_fd);
	char type[64];
	const char *name = guest_of_firmware(root_fd);
	if (!name)
		name = guest_of_clock(root_fd);
	if (!name && fs_read_line_at(root_fd, "sys/hypervisor/type", type, sizeof(type)) > 0)
		name = type;
	if (flag == 0)
		environment_known(environment, "hypervisor", "none");
	else if (name)
		environment_known(environment, "hypervisor", name);
	else if (flag == 1)
		environment_known(environment, "hypervisor", "unknown kind");
	else
		environment_missing(environment, "hypervisor", MISSING_ABSENT);
}

static void record_disk(const char *device, void *user)
{
	static const char *const without_disk[] = { "loop", "ram", "zram", "sr", "fd" };
	struct environment *environment = user;
	char name[ENVIRONMENT_NAME_BYTES];
	char path[160];
	for (size_t i = 0; i < ARRAY_SIZE(without_disk); i++) {
		const size_t length = strlen(without_disk[i]);
		if (text_starts_with(device, without_disk[i]) &&
		    isdigit((unsigned char)device[length]))
			return;
	}
	(void)snprintf(name, sizeof(name), "block.%.64s.scheduler", device);
	(void)snprintf(path, sizeof(path), "sys/block/%.64s/queue/scheduler", device);
	environment_chosen(environment, name, path, "[]");
	(void)snprintf(name, sizeof(name), "block.%.64s.rotational", device);
	(void)snprintf(path, sizeof(path), "sys/block/%.64s/queue/rotational", device);
	environment_line(environment, name, path);
}

struct power {
	int root_fd;
	bool has_mains, mains_on, has_battery;
};

static void look_at_supply(const char *supply, void *user)
{
	struct power *power = user;
	char path[160];
	char type[32];
	char online[8];
	(void)snprintf(path, sizeof(path), "sys/class/power_supply/%.64s/type", supply);
	if (fs_read_line_at(power->root_fd, path, type, sizeof(type)) <= 0)
		return;
	power->has_battery = power->has_battery || strcmp(type, "Battery") == 0;
	if (strcmp(type, "Mains") != 0 && strcmp(type, "USB") != 0)
		return;
	(void)snprintf(path, sizeof(path), "sys/class/power_supply/%.64s/online", supply);
	if (fs_read_line_at(power->root_fd, path, online, sizeof(online)) <= 0)
		return;
	power->has_mains = true;
	power->mains_on = power->mains_on || strcmp(online, "0") != 0;
}

/* Machines without a battery, and most servers, show no supply at all. */
static void record_power(struct environment *environment)
{
	struct power power = { .root_fd = environment->root_fd };
	const int status = environment_folder_each(environment->root_fd, "sys/class/power_supply",
						   look_at_supply, &power);
	if (power.mains_on || (power.has_mains && !power.has_battery))
		environment_known(environment, "power.source", "mains");
	else if (power.has_mains)
		environment_known(environment, "power.source", "battery");
	else
		environment_missing(environment, "power.source",
				    status < 0 ? missing_from_errno(-status) : MISSING_ABSENT);
}

/* "cpu" on x86; "cpu_core" on hybrid processors; "armv8_pmuv3_0" and its like elsewhere. */
static void look_at_pmu(const char *device, void *user)
{
	struct environment_distinct *names = user;
	if (strcmp(device, "cpu") == 0 || text_starts_with(device, "cpu_") ||
	    text_starts_with(device, "armv") || strcmp(device, "cpum_cf") == 0)
		environment_distinct_add(names, device);
}

static void record_pmu(struct environment *environment)
{
	struct environment_distinct names = { 0 };
	const int status = environment_folder_each(
		environment->root_fd, "sys/bus/event_source/devices", look_at_pmu, &names);
	if (status < 0)
		names.why = missing_from_errno(-status);
	environment_distinct_record(environment, "pmu.cpu", &names);
}

void environment_machine(struct environment *environment)
{
	environment_line(environment, "machine.name", "proc/sys/kernel/hostname");
	environment_line(environment, "machine.vendor", DMI_FOLDER "/sys_vendor");
	environment_line(environment, "machine.product", DMI_FOLDER "/product_name");
	environment_line(environment, "machine.firmware", DMI_FOLDER "/bios_version");
	environment_line(environment, "clock.source", CLOCK_FOLDER "/current_clocksource");
	environment_line(environment, "clock.available", CLOCK_FOLDER "/available_clocksource");
	record_hypervisor(environment);
	record_pmu(environment);
	record_power(environment);
	const bool balancing = fs_exists_at(environment->root_fd, "run/irqbalance") ||
			       fs_exists_at(environment->root_fd, "run/irqbalance.pid");
	environment_known(environment, "irqbalance", balancing ? "running" : "not running");
	/* Without this folder there are no disks to name. */
	(void)environment_folder_each(environment->root_fd, "sys/block", record_disk, environment);
}
