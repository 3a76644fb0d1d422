/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The adapters that come with assay, on outputs of their programs: pieces that were recorded from Debian's
 * packages, texts typed anew from the documented layout where a program is in none (the test says so), and the
 * real cases where they are beside the checkout.
 */
#include "adapted.h"
#include "base/fs.h"

#include <fcntl.h>

#define CASE_BYTES_MAX (16U << 20)

static char *contents_of(const char *directory, const char *file)
{
	AUTO(text) char *path = mem_format("%s/%s", directory, file);
	char *bytes = NULL;
	size_t length = 0;
	return fs_read_whole_at(AT_FDCWD, path, CASE_BYTES_MAX, &bytes, &length, NULL) ? NULL
										       : bytes;
}

static struct adapter *shipped(const char *name)
{
	AUTO(text) char *file = mem_format("%s.yaml", name);
	AUTO(text) char *text = contents_of(getenv("ASSAY_ADAPTERS"), file);
	struct error err = { 0 };
	struct adapter *adapter = NULL;
	if (!text || adapter_parse(text, strlen(text), file, &adapter, &err))
		CHECK_FAIL("%s: %s", file, err.text);
	CHECK_TEXT(adapter->name, name);
	return adapter;
}

static void reads(const char *name, const char *output, const char *want)
{
	AUTO(adapter) struct adapter *adapter = shipped(name);
	AUTO(text) char *have = extracted(adapter, output);
	CHECK_TEXT(have, want);
}

/* Of a real case; the wanted piece must be in what was read. */
static void case_reads(const char *name, const char *file, const char *piece)
{
	const char *cases = getenv("ASSAY_TEST_CASES");
	AUTO(text) char *path = mem_format("outputs/%s", file);
	AUTO(text) char *output = cases ? contents_of(cases, path) : NULL;
	if (!output) {
		print_message("there is no %s in ASSAY_TEST_CASES\n", path);
		skip();
		return;
	}
	AUTO(adapter) struct adapter *adapter = shipped(name);
	AUTO(text) char *have = extracted(adapter, output);
	CHECK_HOLDS(have, piece);
	CHECK(!strchr(have, '!'));
}

static void recorded_outputs_of_perf_and_hackbench(void **state)
{
	reads("rt-tests-hackbench",
	      "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\n"
	      "Each sender will pass 10 messages of 100 bytes\nTime: 0.015\n",
	      "rt-tests-hackbench.time_sec=0.015");
	reads("perf-bench-sched-messaging",
	      "# 1 groups == 40 processes run\n\n     Total time: 0.045 [sec]\n",
	      "perf-bench-sched-messaging.total_time_sec=0.045");
	reads("perf-bench-sched-pipe",
	      "     Total time: 0.038 [sec]\n\n      38.330000 usecs/op\n          26089 ops/sec\n",
	      "perf-bench-sched-pipe.ops_per_sec=26089 perf-bench-sched-pipe.usecs_per_op=38.33");
	reads("perf-bench-futex",
	      "[thread  0] futexes: 0x56 ... 0x57 [ 1589248 ops/sec ]\n\n"
	      "Averaged 1589248 operations/sec (+- 0.00%), total secs = 1\n",
	      "perf-bench-futex.ops_per_sec=1589248");
	reads("perf-bench-mem", "# Copying 1MB bytes ...\n\n      32.092097 GB/sec\n",
	      "perf-bench-mem.GB_per_sec=32.092097");
	reads("perf-bench-mem", "# Copying 1MB bytes ...\n\n      512 MB/sec\n",
	      "perf-bench-mem.GB_per_sec=0.5");
	reads("perf-bench-syscall",
	      "# Executed 1000 getppid() calls\n     Total time: 0.000 [sec]\n\n"
	      "       0.202000 usecs/op\n        4950495 ops/sec\n",
	      "perf-bench-syscall.ops_per_sec=4950495 perf-bench-syscall.usecs_per_op=0.202");
}

static void recorded_outputs_of_stress_ng_and_dbench(void **state)
{
	reads("stress-ng",
	      "stress-ng: metrc: [1]                    (secs)    (secs)    (secs)   (real time)\n"
	      "stress-ng: metrc: [1] getrandom         25413      1.00      0.00      0.70     "
	      "25412.27       35907.81\n"
	      "stress-ng: metrc: [1] getrandom     1706822270.40 getrandom bits per sec\n",
	      "stress-ng.getrandom.ops_per_sec=25412.27 stress-ng.getrandom.ops=25413");
	reads("dbench",
	      " Flush            270     1.629    10.055\n\nThroughput 0 MB/sec  1 clients  1 procs  "
	      "max_latency=0.000 ms\n",
	      "dbench.throughput-MB/sec=0 dbench.max_latency_ms=0");
	reads("tbench", "Throughput 145.031 MB/sec  1 clients  1 procs  max_latency=9.5 ms\n",
	      "tbench.throughput-MB/sec=145.031 tbench.max_latency_ms=9.5");
}

static void tables_and_documents_of_their_layout(void **state)
{
	reads("redis-benchmark",
	      "\"test\",\"rps\",\"avg_latency_ms\",\"p99_latency_ms\"\n"
	      "\"SET\",\"25000.00\",\"1.1\",\"2.5\"\n\"GET\",\"28571.43\",\"0.9\",\"1.5\"\n",
	      "redis-benchmark.SET.rps=25000 redis-benchmark.GET.rps=28571.43 "
	      "redis-benchmark.SET.p99_latency_ms=2.5 redis-benchmark.GET.p99_latency_ms=1.5");
	reads("hyperfine",
	      "{\"results\": [{\"command\": \"x\", \"mean\": 0.5, \"median\": 0.25}]}\n",
	      "hyperfine.mean_sec=0.5 hyperfine.median_sec=0.25");
	reads("sysbench",
	      "    events per second:  2285.67\n    total number of events:              2286\n"
	      "Latency (ms):\n         avg:                                    0.87\n"
	      "         95th percentile:                        0.95\nThreads fairness:\n",
	      "sysbench.events_per_sec=2285.67 sysbench.events=2286 sysbench.latency_avg_ms=0.87 "
	      "sysbench.latency_95%_ms=0.95");
	reads("will-it-scale-original",
	      "testcase:x\nwarmup\nmeasurement\nmin:1 max:2 total:3\naverage:137553\n",
	      "will-it-scale.average=137553");
	reads("go-bench", "goos: linux\nBenchmarkAdd-2   \t 100\t  12.5 ns/op\t 8 B/op\nPASS\n",
	      "go-bench.Add-2.ns_per_op=12.5 go-bench.Add-2.B_per_op=8");
}

static void netperf_specjbb_and_npb_on_text_typed_from_their_documented_layout(void **state)
{
	reads("netperf", "9413.25,10^6bits/s\n", "netperf.Throughput_Mbps=9413.25");
	reads("netperf", "45210.11,Trans/s\n", "netperf.Throughput_tps=45210.11");
	reads("netperf", "establish control: are you sure there is a netserver listening\n",
	      "!the output has none of the scores");
	reads("npb",
	      " CG Benchmark Completed.\n Class           =                        S\n"
	      " Time in seconds =                     0.04\n Mop/s total     =                  1523.50\n"
	      " Mop/s/thread    =                  761.75\n",
	      "npb.total_mops=1523.5 npb.time_sec=0.04");
	reads("specjbb",
	      "   Warehouses               Thrput\n            1                  30500\n"
	      "            2                  60000 *\n            3                  59000 *\n"
	      "Throughput                     59500 SPECjbb2005 bops\n",
	      "specjbb.bops=59500 specjbb.warehouse_2.bops=60000 specjbb.warehouse_3.bops=59000");
}

static void a_program_that_says_nothing_gives_no_score(void **state)
{
	static const char *const names[] = {
		"dbench",  "fio",       "go-bench", "google-benchmark", "hyperfine",
		"iperf3",  "netperf",   "npb",      "pgbench",          "schbench-original",
		"specjbb", "stress-ng", "sysbench", "unixbench",        "wrk"
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO(adapter) struct adapter *adapter = shipped(names[i]);
		AUTO(text) char *have = extracted(adapter, "error: it did not work\n");
		CHECK(have[0] == '!');
	}
}

#define REAL(name, adapter, file, piece)                                                           \
	static void name(void **state)                                                             \
	{                                                                                          \
		case_reads(adapter, file, piece);                                                  \
	}

REAL(fio_of_the_cases, "fio", "fio/01",
     "fio.read_iops=29330065.629 fio.write_iops=0 fio.read_bw_MBps=114570.568359")
REAL(stress_ng_of_the_cases, "stress-ng", "stress-ng/03",
     "stress-ng.signest.ops_per_sec=1082381.11")
REAL(dbench_of_the_cases, "dbench", "dbench/01", "dbench.throughput-MB/sec=13563.9")
REAL(iperf_of_the_cases, "iperf3", "iperf/1", "iperf.tcp.receiver.bps=23548652092.8")
REAL(unixbench_of_the_cases, "unixbench", "unixbench/02",
     "throughput=1675624 unixbench.score=4231.4")
REAL(wrk_of_the_cases, "wrk", "other/wrk_result.txt",
     "wrk.requests_per_sec=9605.69 wrk.latency_avg_us=218.37")
REAL(pgbench_of_the_cases, "pgbench", "other/pgbench.stdout.txt",
     "pgbench.tps=13.062579 pgbench.latency_avg_ms=1108.418")
REAL(google_benchmark_of_the_cases, "google-benchmark", "other/test1_run1.json",
     "google-benchmark.BM_2xFaster.real_time=50")
REAL(hyperfine_of_the_cases, "hyperfine", "other/shell_hyperfine_two.json",
     "hyperfine.mean_sec=0.107534464424")
REAL(go_of_the_cases, "go-bench", "go-bench/cmd/benchstat/testdata/old.txt",
     "go-bench.Encode/format=json-48.ns_per_op=")
REAL(schbench_of_the_cases, "schbench-original", "schbench/01", "schbench.wakeup_latency_99%_us=")
REAL(perf_messaging_of_the_cases, "perf-bench-sched-messaging", "perf-bench-sched-messaging/01",
     "total_time_sec=0.055")

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_outputs_of_perf_and_hackbench),
		cmocka_unit_test(recorded_outputs_of_stress_ng_and_dbench),
		cmocka_unit_test(tables_and_documents_of_their_layout),
		cmocka_unit_test(
			netperf_specjbb_and_npb_on_text_typed_from_their_documented_layout),
		cmocka_unit_test(a_program_that_says_nothing_gives_no_score),
		cmocka_unit_test(fio_of_the_cases),
		cmocka_unit_test(stress_ng_of_the_cases),
		cmocka_unit_test(dbench_of_the_cases),
		cmocka_unit_test(iperf_of_the_cases),
		cmocka_unit_test(unixbench_of_the_cases),
		cmocka_unit_test(wrk_of_the_cases),
		cmocka_unit_test(pgbench_of_the_cases),
		cmocka_unit_test(google_benchmark_of_the_cases),
		cmocka_unit_test(hyperfine_of_the_cases),
		cmocka_unit_test(go_of_the_cases),
		cmocka_unit_test(schbench_of_the_cases),
		cmocka_unit_test(perf_messaging_of_the_cases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
