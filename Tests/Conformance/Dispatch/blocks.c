/* Work items: what can be done with the result of dispatch_block_create(3). */
#include "conformance_dispatch.h"
#include "libdispatch.h"

#include <errno.h>

static atomic_int ran, notified, go;

static dispatch_block_t counting_item(dispatch_block_flags_t flags) {
  return dispatch_block_create(flags, ^{
    atomic_fetch_add(&ran, 1);
  });
}

static dispatch_block_t blocked_item(void) {
  return dispatch_block_create(0, ^{
    conformance_await(&go, 1);
  });
}

static void wait_for_item(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_block_t item = counting_item(0);
  dispatch_async(queue, item);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_FOREVER), 0);
  EXPECT(ran, 1);
  _Block_release(item);
}

static void wait_times_out(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_block_t item = blocked_item();
  dispatch_async(queue, item);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 10);
  dispatch_time_t deadline = dispatch_time(DISPATCH_TIME_NOW, 10 * NSEC_PER_MSEC);
  EXPECT(dispatch_block_wait(item, deadline) != 0, true);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  atomic_store(&go, 1);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_FOREVER), 0);
}

static void run_directly(void) {
  dispatch_block_t item = counting_item(0);
  item();
  EXPECT(ran, 1);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_NOW), 0);
  dispatch_block_perform(0, ^{
    atomic_fetch_add(&ran, 1);
  });
  EXPECT(ran, 2);
}

static void notify(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_queue_t other = dispatch_queue_create("other", NULL);
  dispatch_block_t item = counting_item(0);
  static int ran_before;
  dispatch_block_notify(item, other, ^{
    dispatch_assert_queue(other);
    ran_before = atomic_load(&ran);
    atomic_fetch_add(&notified, 1);
  });
  dispatch_async(queue, item);
  conformance_await(&notified, 1);
  EXPECT(ran_before, 1);
  EXPECT(notified, 1);
}

static void cancel_before_run(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_suspend(queue);
  dispatch_block_t item = counting_item(0);
  dispatch_async(queue, item);
  EXPECT(dispatch_block_testcancel(item), 0);
  dispatch_block_cancel(item);
  EXPECT(dispatch_block_testcancel(item) != 0, true);
  dispatch_resume(queue);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_FOREVER), 0);
  EXPECT(ran, 0);
}

static void cancel_while_running(void) {
  static atomic_int started;
  static dispatch_block_t item;
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  item = dispatch_block_create(0, ^{
    atomic_store(&started, 1);
    while (dispatch_block_testcancel(item) == 0) {
    }
    atomic_fetch_add(&ran, 1);
  });
  dispatch_async(queue, item);
  conformance_await(&started, 1);
  dispatch_block_cancel(item);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_FOREVER), 0);
  EXPECT(ran, 1);
}

/* On a concurrent queue an item made as a barrier runs alone, after all that came before it. */
static void barrier_flag(void) {
  dispatch_queue_t queue = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
  static atomic_int readers, intrusions;
  for (int round = 0; round < 300; round++) {
    for (int reader = 0; reader < 3; reader++) {
      dispatch_async(queue, ^{
        atomic_fetch_add(&readers, 1);
        atomic_fetch_sub(&readers, 1);
        atomic_fetch_add(&ran, 1);
      });
    }
    dispatch_block_t writer = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{
      if (atomic_load(&readers) != 0) atomic_fetch_add(&intrusions, 1);
      if (atomic_load(&ran) != 3 * (round + 1)) atomic_fetch_add(&intrusions, 1);
    });
    dispatch_async(queue, writer);
    _Block_release(writer);
  }
  dispatch_barrier_sync(queue, ^{
                        });
  EXPECT(ran, 900);
  EXPECT(intrusions, 0);
}

static void sync_item(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_block_t item = counting_item(0);
  dispatch_sync(queue, item);
  EXPECT(ran, 1);
  EXPECT(dispatch_block_wait(item, DISPATCH_TIME_NOW), 0);
}

static void group_item(void) {
  dispatch_group_t group = dispatch_group_create();
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_block_t item = dispatch_block_create_with_qos_class(0, QOS_CLASS_UTILITY, 0, ^{
    atomic_fetch_add(&ran, 1);
  });
  dispatch_group_async(group, queue, item);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_FOREVER), 0);
  EXPECT(ran, 1);
}

const conformance_case block_cases[] = {
    {"item.wait", wait_for_item},
    {"item.wait-times-out", wait_times_out},
    {"item.run-directly", run_directly},
    {"item.notify", notify},
    {"item.cancel-before-run", cancel_before_run},
    {"item.cancel-while-running", cancel_while_running},
    {"item.barrier-flag", barrier_flag, 0,
     "it wraps the block, and libdispatch no longer sees the flag"},
    {"item.sync", sync_item},
    {"item.group", group_item},
    {NULL},
};
