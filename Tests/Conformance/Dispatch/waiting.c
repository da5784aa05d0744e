/* Groups, semaphores and once. dispatch_group_create(3), dispatch_semaphore_create(3). */
#include "conformance_dispatch.h"
#include "libdispatch.h"

#include <errno.h>

enum { BLOCKS = 500, ROUNDS = 1000, THREADS = 4 };

static atomic_int count, go;

static void count_up(void *unused) {
  (void)unused;
  atomic_fetch_add(&count, 1);
}

static void await_go(void *unused) {
  (void)unused;
  conformance_await(&go, 1);
}

static dispatch_queue_t concurrent(void) {
  return dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
}

static void group_async(void) {
  dispatch_queue_t queue = concurrent();
  dispatch_group_t group = dispatch_group_create();
  for (int index = 0; index < BLOCKS; index++) {
    dispatch_group_async_f(group, queue, NULL, count_up);
    dispatch_group_async(group, queue, ^{
      count_up(NULL);
    });
  }
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_FOREVER), 0);
  EXPECT(count, 2 * BLOCKS);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_NOW), 0);
  dispatch_release(group);
}

static void group_timeout(void) {
  dispatch_group_t group = dispatch_group_create();
  dispatch_group_async_f(group, concurrent(), NULL, await_go);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_NOW) != 0, true);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 10);
  dispatch_time_t deadline = dispatch_time(DISPATCH_TIME_NOW, 10 * NSEC_PER_MSEC);
  EXPECT(dispatch_group_wait(group, deadline) != 0, true);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  atomic_store(&go, 1);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_FOREVER), 0);
}

static void group_enter_leave(void) {
  dispatch_group_t group = dispatch_group_create();
  dispatch_group_enter(group);
  dispatch_group_enter(group);
  dispatch_group_leave(group);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_NOW) != 0, true);
  dispatch_group_leave(group);
  EXPECT(dispatch_group_wait(group, DISPATCH_TIME_NOW), 0);
}

static void group_notify(void) {
  static atomic_int notified, early;
  dispatch_queue_t queue = concurrent();
  dispatch_group_t group = dispatch_group_create();
  for (int index = 0; index < BLOCKS; index++) dispatch_group_async_f(group, queue, NULL, count_up);
  dispatch_group_notify(group, queue, ^{
    if (atomic_load(&count) != BLOCKS) atomic_fetch_add(&early, 1);
    atomic_fetch_add(&notified, 1);
  });
  conformance_await(&notified, 1);
  EXPECT(notified, 1);
  EXPECT(early, 0);
  dispatch_group_notify_f(group, queue, NULL, count_up);
  conformance_await(&count, BLOCKS + 1);
  EXPECT(count, BLOCKS + 1);
}

static void group_reused(void) {
  dispatch_queue_t queue = concurrent();
  dispatch_group_t group = dispatch_group_create();
  int wrong = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    dispatch_group_async_f(group, queue, NULL, count_up);
    wrong += dispatch_group_wait(group, DISPATCH_TIME_FOREVER) != 0;
    wrong += atomic_load(&count) != round;
  }
  EXPECT(wrong, 0);
}

static void unbalanced_leave(void) { dispatch_group_leave(dispatch_group_create()); }

static void *wait_forever(void *semaphore) {
  return (void *)dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
}

static void semaphore_values(void) {
  EXPECT(dispatch_semaphore_create(-1) == NULL, true);
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(1);
  errno = ENOTEMPTY;
  EXPECT(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER), 0);
  EXPECT_CODE(errno, ENOTEMPTY);
  EXPECT(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0, true);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 10);
  dispatch_time_t deadline = dispatch_time(DISPATCH_TIME_NOW, 10 * NSEC_PER_MSEC);
  EXPECT(dispatch_semaphore_wait(semaphore, deadline) != 0, true);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  EXPECT(dispatch_semaphore_signal(semaphore), 0);
  EXPECT(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW), 0);
  EXPECT(dispatch_semaphore_signal(semaphore), 0);
  dispatch_release(semaphore);
}

/* A signal that wakes a thread says so: signals until one does, for the waiter may be late. */
static void semaphore_wakes(void) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
  pthread_t waiter = conformance_start(wait_forever, semaphore);
  while (dispatch_semaphore_signal(semaphore) == 0) {
    if (dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0) break;
  }
  void *result = (void *)1;
  pthread_join(waiter, &result);
  EXPECT((long)result, 0);
  EXPECT(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0, true);
}

static long plain_count;

static void *count_under(void *semaphore) {
  for (int round = 0; round < ROUNDS; round++) {
    dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
    plain_count++;
    dispatch_semaphore_signal(semaphore);
  }
  return NULL;
}

static void semaphore_as_lock(void) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(1);
  pthread_t other = conformance_start(count_under, semaphore);
  count_under(semaphore);
  pthread_join(other, NULL);
  EXPECT(plain_count, 2 * ROUNDS);
  dispatch_release(semaphore);
}

static void semaphore_freed_in_use(void) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(1);
  dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
  dispatch_release(semaphore);
}

static dispatch_once_t once, once_f;

static void *use_once(void *unused) {
  dispatch_once(&once, ^{
    count_up(NULL);
  });
  dispatch_once_f(&once_f, NULL, count_up);
  return (void *)(long)(atomic_load(&count) == 2 || unused != NULL);
}

static void once_for_all(void) {
  pthread_t threads[THREADS];
  int complete = 0;
  for (int index = 0; index < THREADS; index++) threads[index] = conformance_start(use_once, NULL);
  for (int index = 0; index < THREADS; index++) {
    void *saw_both = NULL;
    pthread_join(threads[index], &saw_both);
    complete += saw_both != NULL;
  }
  EXPECT(complete, THREADS);
  EXPECT(count, 2);
}

const conformance_case wait_cases[] = {
    {"group.async", group_async},
    {"group.timeout", group_timeout},
    {"group.enter-leave", group_enter_leave},
    {"group.notify", group_notify},
    {"group.reused", group_reused},
    {"group.unbalanced-leave", unbalanced_leave, CONFORMANCE_TRAP},
    {"dispatch-semaphore.values", semaphore_values},
    {"dispatch-semaphore.wakes", semaphore_wakes},
    {"dispatch-semaphore.as-lock", semaphore_as_lock},
    {"dispatch-semaphore.freed-in-use", semaphore_freed_in_use, CONFORMANCE_TRAP},
    {"dispatch-once.for-all", once_for_all},
    {NULL},
};
