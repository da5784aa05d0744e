/* Time, sources, the main queue and the end of the process. dispatch_after(3), dispatch_main(3). */
#include "conformance_dispatch.h"
#include "libdispatch.h"

#include <errno.h>
#include <stdlib.h>

static struct timespec earliest;
static atomic_int fired, early;

static void fire(void *unused) {
  (void)unused;
  if (!conformance_reached(CLOCK_MONOTONIC, earliest)) atomic_fetch_add(&early, 1);
  atomic_fetch_add(&fired, 1);
}

static dispatch_time_t soon(void) {
  earliest = conformance_from_now(CLOCK_MONOTONIC, 10);
  return dispatch_time(DISPATCH_TIME_NOW, 10 * NSEC_PER_MSEC);
}

static void after(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_after_f(soon(), queue, NULL, fire);
  conformance_await(&fired, 1);
  dispatch_after(soon(), queue, ^{
    fire(NULL);
  });
  conformance_await(&fired, 2);
  dispatch_after_f(DISPATCH_TIME_NOW, queue, NULL, fire);
  conformance_await(&fired, 3);
  EXPECT(early, 0);
}

/* A delay of zero is like async: the block comes after those already there. */
static void after_now(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  static int order, place;
  dispatch_suspend(queue);
  dispatch_async(queue, ^{
    order++;
  });
  dispatch_after(DISPATCH_TIME_NOW, queue, ^{
    place = ++order;
  });
  dispatch_resume(queue);
  dispatch_sync(queue, ^{
                });
  EXPECT(place, 2);
}

static void timer_source(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  static atomic_int ticks, cancelled;
  dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, queue);
  dispatch_source_set_timer(timer, DISPATCH_TIME_NOW, NSEC_PER_MSEC, 0);
  dispatch_source_set_event_handler(timer, ^{
    if (atomic_fetch_add(&ticks, 1) == 4) dispatch_source_cancel(timer);
  });
  dispatch_source_set_cancel_handler(timer, ^{
    atomic_store(&cancelled, 1);
  });
  EXPECT(atomic_load(&ticks), 0);
  dispatch_resume(timer);
  conformance_await(&cancelled, 1);
  EXPECT(ticks, 5);
}

static void data_source(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  static atomic_int events;
  dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
  dispatch_source_set_event_handler(source, ^{
    atomic_fetch_add(&events, 1);
  });
  dispatch_activate(source);
  dispatch_source_merge_data(source, 3);
  conformance_await(&events, 1);
  EXPECT(events, 1);
}

static void end_source(void *ended) { atomic_fetch_add((atomic_int *)ended, 1); }

/* Suspended, cancelled, resumed and let go: the cancellation comes before the end, each once. */
static void source_life(void) {
  static atomic_int cancelled, ended;
  dispatch_source_t source =
      dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, dispatch_queue_create("s", NULL));
  dispatch_set_context(source, &ended);
  dispatch_set_finalizer_f(source, end_source);
  dispatch_source_set_event_handler(source, ^{
                                    });
  dispatch_source_set_cancel_handler(source, ^{
    EXPECT(atomic_load(&ended), 0);
    atomic_fetch_add(&cancelled, 1);
  });
  dispatch_resume(source);
  dispatch_suspend(source);
  dispatch_source_cancel(source);
  dispatch_resume(source);
  dispatch_release(source);
  conformance_await(&ended, 1);
  EXPECT(cancelled, 1);
  EXPECT(ended, 1);
}

static void source_never_resumed(void) {
  dispatch_release(dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, NULL));
}

static void main_queue(void) {
  static int order;
  dispatch_async(&_dispatch_main_q, ^{
    order++;
  });
  dispatch_async(&_dispatch_main_q, ^{
    EXPECT(order, 1);
    exit(conformance_failures() == 0 ? 31 : 1);
  });
  dispatch_main();
}

static void exit_from_queue(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_async(queue, ^{
    dispatch_assert_queue(queue);
    exit(32);
  });
  dispatch_main();
}

static void *sync_to_main(void *unused) {
  static int value;
  dispatch_sync(&_dispatch_main_q, ^{
    dispatch_assert_queue(&_dispatch_main_q);
    value = 33;
  });
  exit(value);
  return unused;
}

static void sync_main_queue(void) {
  conformance_start(sync_to_main, NULL);
  dispatch_main();
}

static void return_while_busy(void) {
  static atomic_int running;
  dispatch_queue_t queue = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
  for (int index = 0; index < 500; index++) {
    dispatch_async(queue, ^{
      atomic_fetch_add(&running, 1);
    });
  }
  conformance_await(&running, 1);
  EXPECT(atomic_load(&running) > 0, true);
}

const conformance_case timing_cases[] = {
    {"after.not-before", after},
    {"after.now", after_now},
    {"source.timer", timer_source},
    {"source.data", data_source},
    {"source.life", source_life},
    {"source.never-resumed", source_never_resumed, CONFORMANCE_TRAP},
    {"main.queue", main_queue, 31},
    {"main.exit-from-queue", exit_from_queue, 32},
    {"main.sync", sync_main_queue, 33},
    {"main.return-while-busy", return_while_busy},
    {NULL},
};

const conformance_case *const dispatch_tables[] = {
    submit_cases, queue_cases, wait_cases, block_cases, timing_cases, NULL,
};
