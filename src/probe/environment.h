/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a run: every value of the machine, the kernel and this process that can make two runs differ, as
 * FACT frames. Values, never whole files; what could not be had is missing with the reason, never "" or 0. All files
 * are read below the root descriptor, so that a recorded tree answers as its machine would; process.*, env.*,
 * limit.*, libc.* and probe.* are always of this process.
 *
 * Not for the measured window: it opens files and allocates.
 *
 * Names are stable. N is a number, NAME a name that the kernel gives.
 *
 *   kernel.release .version .architecture .command_line .taint   /proc/sys/kernel/..., /proc/cmdline
 *   kernel.build_id               GNU build id in /sys/kernel/notes
 *   kernel.compiler               out of /proc/version
 *   kernel.preempt_mode           the chosen word of debugfs sched/preempt
 *   kernel.lsm                    /sys/kernel/security/lsm
 *   kernel.config.source          the file that the options come from
 *   kernel.config.sha256          of the plain text of the configuration
 *   kernel.config.OPTION          options that decide speed (environment_config.c): y, m, n, a number
 *   cpu.vendor .family .model .model_name .stepping .microcode      /proc/cpuinfo
 *   cpu.online .possible .isolated .nohz_full     lists as the kernel prints them
 *   cpu.count .cores .sockets .threads_per_core   of the online CPUs
 *   cpu.cache.L1d .L1i .L2 .L3    size of one, and cpu.cache.L3.instances: how many
 *   cpu.smt.control               /sys/devices/system/cpu/smt/control
 *   cpu.governor .frequency_driver .energy_preference .frequency_khz_min .frequency_khz_max
 *                                 one value, or "mixed: a, b" when the CPUs differ
 *   cpu.turbo                     on, off (intel_pstate/no_turbo or cpufreq/boost)
 *   cpu.idle_driver .idle_governor
 *   cpu.idle_states               names of the enabled idle states
 *   cpu.hypervisor_flag           yes, no: the flag in /proc/cpuinfo (x86)
 *   pmu.cpu                       name of the hardware performance counter device
 *   vulnerability.NAME            /sys/devices/system/cpu/vulnerabilities/NAME
 *   node.count .distances         "10 20;20 10", one row a node
 *   node.N.cpus .memory_mib
 *   memory.total_mib .hugepages.2048kB ...   swap.total_mib   memory.ksm .zswap .lru_gen .demotion
 *   thp.enabled .defrag .shmem_enabled .khugepaged_defrag .64kB.enabled ...   the chosen word
 *   sysctl.kernel.NAME .vm.NAME .user.max_user_namespaces   short one-line values (environment_sysctl.c
 *                                 lists those left out, with the reason). ASLR is sysctl.kernel.randomize_va_space
 *                                 and process.aslr; NUMA balancing is sysctl.kernel.numa_balancing.
 *   cgroup.version .path .cpu.max .cpuset.cpus .cpuset.mems .memory.max   the tightest limit on the way up
 *   clock.source .available
 *   hypervisor                    none, or its name as far as the root tells
 *   machine.name .vendor .product .firmware
 *   block.NAME.scheduler .rotational
 *   tmp.directory .filesystem     of TMPDIR or /tmp
 *   power.source                  mains, battery
 *   irqbalance                    running, "not running"
 *   process.user                  root, "not root"
 *   process.affinity .policy .nice .aslr .preload
 *   env.NAME                      variables MALLOC_*, GLIBC_TUNABLES, LD_*
 *   limit.open_files .stack_kib .locked_kib
 *   program.path .sha256 .instruments   of the workload `command`: its file, the hash of its bytes, and what it was
 *                                 built or linked with to find bugs (sanitizers, malloc debugging), or none
 *   libc.version   probe.version .compiler .flags
 *
 * Of the moment, therefore different between any two runs:
 *   load.1 .5 .15   steal.ticks   psi.cpu.some_avg10 psi.io.* psi.memory.*   free.memory_mib .swap_mib
 *   throttle.core .package        sum over the CPUs of the thermal throttle counts
 */
#pragma once

struct wire;

/* Writes all facts. 0, or the negative errno of the first write that failed. */
int environment_record(int root_fd, struct wire *wire);

/* Writes the facts of the program that `program`, a command line, names first: program.*. 0 or -errno, as above. */
int environment_record_program(struct wire *wire, const char *program);
