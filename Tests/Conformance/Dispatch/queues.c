/* Queues as objects: labels, targets, specifics, suspension, activation, life.
 * dispatch_queue_create(3). */
#include "conformance_dispatch.h"
#include "libdispatch.h"

#include <errno.h>

static void nothing(void *unused) { (void)unused; }

static void count_up(void *count) { atomic_fetch_add((atomic_int *)count, 1); }

static void labels(void) {
  dispatch_queue_t named = dispatch_queue_create("com.example.named", NULL);
  conformance_text("label", dispatch_queue_get_label(named), "com.example.named");
  dispatch_queue_t unnamed = dispatch_queue_create(NULL, DISPATCH_QUEUE_CONCURRENT);
  conformance_text("label", dispatch_queue_get_label(unnamed), "");
  dispatch_queue_t below = dispatch_queue_create_with_target("below", NULL, named);
  conformance_text("label", dispatch_queue_get_label(below), "below");
  conformance_text("main", dispatch_queue_get_label(&_dispatch_main_q), "com.apple.main-thread");
  __block const char *current = "";
  dispatch_sync(named, ^{
    current = dispatch_queue_get_label(NULL);
  });
  conformance_text("current", current, "com.example.named");
}

static void qos_class(void) {
  dispatch_queue_attr_t attribute =
      dispatch_queue_attr_make_with_qos_class(NULL, QOS_CLASS_UTILITY, -3);
  dispatch_queue_t queue = dispatch_queue_create("utility", attribute);
  int relative = 0;
  EXPECT(dispatch_queue_get_qos_class(queue, &relative), QOS_CLASS_UTILITY);
  EXPECT(relative, -3);
}

static atomic_int finalized;

/* The last reference is the pending block's: the queue dies after it, once. */
static void lifetime(void) {
  static atomic_int ran;
  dispatch_queue_t queue = dispatch_queue_create("short-lived", NULL);
  dispatch_set_context(queue, &finalized);
  dispatch_set_finalizer_f(queue, count_up);
  EXPECT(dispatch_get_context(queue) == &finalized, true);
  dispatch_retain(queue);
  dispatch_suspend(queue);
  dispatch_async_f(queue, &ran, count_up);
  dispatch_resume(queue);
  dispatch_release(queue);
  EXPECT(atomic_load(&finalized), 0);
  dispatch_release(queue);
  conformance_await(&finalized, 1);
  EXPECT(ran, 1);
  EXPECT(finalized, 1);
}

static const char key_of_inner, key_of_outer;

static void specifics(void) {
  dispatch_queue_t outer = dispatch_queue_create("outer", NULL);
  dispatch_queue_t inner = dispatch_queue_create_with_target("inner", NULL, outer);
  dispatch_queue_set_specific(inner, &key_of_inner, "i", nothing);
  dispatch_queue_set_specific(outer, &key_of_outer, "o", nothing);
  EXPECT(dispatch_queue_get_specific(inner, &key_of_outer) == NULL, true);
  EXPECT(dispatch_get_specific(&key_of_inner) == NULL, true);
  __block bool own, below;
  dispatch_block_t look = ^{
    own = dispatch_get_specific(&key_of_inner) != NULL;
    below = dispatch_get_specific(&key_of_outer) != NULL;
  };
  dispatch_sync(inner, look);
  EXPECT(own && below, true);
  own = below = false;
  dispatch_async(inner, look);
  dispatch_sync_f(inner, NULL, nothing);
  EXPECT(own && below, true);
  dispatch_sync(outer, look);
  EXPECT(own, false);
  EXPECT(below, true);
}

/* A failed assertion would end the process. */
static void assertions(void) {
  dispatch_queue_t outer = dispatch_queue_create("outer", DISPATCH_QUEUE_CONCURRENT);
  dispatch_queue_t inner = dispatch_queue_create_with_target("inner", NULL, outer);
  dispatch_queue_t other = dispatch_queue_create("other", NULL);
  __block int passed = 0;
  dispatch_block_t on_both = ^{
    dispatch_assert_queue(inner);
    dispatch_assert_queue(outer);
    dispatch_assert_queue_not(other);
    passed++;
  };
  dispatch_sync(inner, on_both);
  dispatch_barrier_sync(inner, on_both);
  dispatch_async_and_wait(inner, on_both);
  dispatch_async(inner, on_both);
  dispatch_sync_f(inner, NULL, nothing);
  dispatch_barrier_sync(outer, ^{
    dispatch_assert_queue_barrier(outer);
    dispatch_assert_queue_not(inner);
    passed++;
  });
  dispatch_sync(other, ^{
    dispatch_sync(inner, ^{
      dispatch_assert_queue(inner);
      dispatch_assert_queue(other);
      passed++;
    });
  });
  dispatch_assert_queue_not(inner);
  EXPECT(passed, 6);
}

static void assertion_fails(void) {
  dispatch_queue_t queue = dispatch_queue_create("elsewhere", NULL);
  dispatch_assert_queue(queue);
}

static void suspension(void) {
  static atomic_int ran;
  dispatch_queue_t queue = dispatch_queue_create("suspended", NULL);
  dispatch_suspend(queue);
  dispatch_suspend(queue);
  dispatch_async_f(queue, &ran, count_up);
  dispatch_resume(queue);
  EXPECT(atomic_load(&ran), 0);
  dispatch_resume(queue);
  dispatch_sync_f(queue, NULL, nothing);
  EXPECT(atomic_load(&ran), 1);
}

static void activation(void) {
  static atomic_int ran;
  dispatch_queue_attr_t attribute = dispatch_queue_attr_make_initially_inactive(NULL);
  dispatch_queue_t target = dispatch_queue_create("target", NULL);
  dispatch_queue_t queue = dispatch_queue_create("inactive", attribute);
  dispatch_async_f(queue, &ran, count_up);
  dispatch_set_target_queue(queue, target);
  EXPECT(atomic_load(&ran), 0);
  dispatch_activate(queue);
  dispatch_activate(queue);
  dispatch_sync_f(queue, NULL, nothing);
  EXPECT(atomic_load(&ran), 1);
  __block int checked = 0;
  dispatch_sync(queue, ^{
    dispatch_assert_queue(target);
    checked = 1;
  });
  EXPECT(checked, 1);
}

/* Two queues with one serial target exclude each other. */
static void common_target(void) {
  dispatch_queue_t target = dispatch_queue_create("target", NULL);
  dispatch_queue_t queues[2];
  for (int index = 0; index < 2; index++) {
    queues[index] = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
    dispatch_set_target_queue(queues[index], target);
  }
  static long count;
  for (int index = 0; index < 2000; index++)
    dispatch_async(queues[index % 2], ^{
      count++;
    });
  dispatch_barrier_sync_f(queues[0], NULL, nothing);
  dispatch_barrier_sync_f(queues[1], NULL, nothing);
  EXPECT(count, 2000);
}

static void many_queues(void) {
  static atomic_int ran;
  for (int index = 0; index < 2000; index++) {
    dispatch_queue_t queue = dispatch_queue_create("one of many", NULL);
    dispatch_async_f(queue, &ran, count_up);
    dispatch_sync_f(queue, &ran, count_up);
    dispatch_release(queue);
  }
  EXPECT(ran, 4000);
}

static void *retain_and_release(void *queue) {
  for (int round = 0; round < 10000; round++) {
    dispatch_retain(queue);
    dispatch_release(queue);
  }
  dispatch_release(queue);
  return NULL;
}

/* Whoever gives up the last reference ends it, once. */
static void last_reference(void) {
  static atomic_int ended;
  dispatch_queue_t queue = dispatch_queue_create("shared", NULL);
  dispatch_set_context(queue, &ended);
  dispatch_set_finalizer_f(queue, count_up);
  dispatch_retain(queue);
  pthread_t other = conformance_start(retain_and_release, queue);
  retain_and_release(queue);
  pthread_join(other, NULL);
  conformance_await(&ended, 1);
  EXPECT(ended, 1);
  dispatch_queue_t own = dispatch_queue_create("own", NULL);
  errno = ENOTEMPTY;
  dispatch_release(own);
  EXPECT_CODE(errno, ENOTEMPTY);
  dispatch_release(&_dispatch_main_q);
  EXPECT(dispatch_queue_get_label(&_dispatch_main_q) != NULL, true);
}

static void release_suspended(void) {
  dispatch_queue_t queue = dispatch_queue_create("asleep", NULL);
  dispatch_suspend(queue);
  dispatch_suspend(queue);
  dispatch_resume(queue);
  dispatch_release(queue);
}

static void release_inactive(void) {
  dispatch_queue_attr_t attribute = dispatch_queue_attr_make_initially_inactive(NULL);
  dispatch_release(dispatch_queue_create("idle", attribute));
}

/* More suspensions than fit into the queue's word of state. */
static void many_suspensions(void) {
  static atomic_int ran;
  dispatch_queue_t queue = dispatch_queue_create("deep asleep", NULL);
  for (int depth = 0; depth < 500; depth++) dispatch_suspend(queue);
  dispatch_async_f(queue, &ran, count_up);
  for (int depth = 0; depth < 500; depth++) dispatch_resume(queue);
  dispatch_sync_f(queue, NULL, nothing);
  EXPECT(ran, 1);
  dispatch_release(queue);
}

const conformance_case queue_cases[] = {
    {"queue.labels", labels},
    {"queue.qos-class", qos_class},
    {"queue.lifetime", lifetime},
    {"queue.specifics", specifics},
    {"queue.assertions", assertions},
    {"queue.assertion-fails", assertion_fails, CONFORMANCE_TRAP},
    {"queue.suspension", suspension},
    {"queue.activation", activation},
    {"queue.common-target", common_target},
    {"queue.many", many_queues},
    {"queue.last-reference", last_reference},
    {"queue.released-suspended", release_suspended, CONFORMANCE_TRAP},
    {"queue.released-inactive", release_inactive, CONFORMANCE_TRAP},
    {"queue.many-suspensions", many_suspensions},
    {NULL},
};
