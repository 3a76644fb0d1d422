/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netdev. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void each_interface_has_what_it_received_and_sent(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "netdev");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "netdev.lo.rx_bytes", 200);
	CHECK_VALUE(watch, "netdev.eth0.rx_bytes", 4000);
	CHECK_VALUE(watch, "netdev.eth0.rx_dropped", 2);
	CHECK_VALUE(watch, "netdev.eth0.tx_packets", 2);
	CHECK_VALUE(watch, "netdev.eth0.tx_dropped", 0);
	CHECK_INT(watch_channels(watch), 2 * 8);
	watch_close(watch);
	tree_done(&tree);
}

static void an_interface_that_goes_is_missing(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "netdev");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "eth0.rx_bytes").state, VALUE_MISSING);
	CHECK_VALUE(watch, "netdev.lo.rx_packets", 2);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_interface_has_what_it_received_and_sent),
		cmocka_unit_test(an_interface_that_goes_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
