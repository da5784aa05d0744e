/* Submission: which thread, which order, how often, with what. dispatch_async(3). */
#include "conformance_dispatch.h"
#include "libdispatch.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

enum { BLOCKS = 1000, ITERATIONS = 500 };

typedef struct {
  pthread_t thread;
  int calls;
} visit;

static void record_visit(void *argument) {
  visit *seen = argument;
  seen->thread = pthread_self();
  seen->calls++;
}

/* The work runs once, on the calling thread, before the call returns. */
static void check_here(void (*submit)(dispatch_queue_t, void *, dispatch_function_t)) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  visit seen = {.calls = 0};
  submit(queue, &seen, record_visit);
  EXPECT(seen.calls, 1);
  EXPECT(pthread_equal(seen.thread, pthread_self()) != 0, true);
  dispatch_release(queue);
}

static void sync_block(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  dispatch_sync(queue, ^{
    work(context);
  });
}

static void barrier_block(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  dispatch_barrier_sync(queue, ^{
    work(context);
  });
}

static void wait_block(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  dispatch_async_and_wait(queue, ^{
    work(context);
  });
}

static void barrier_wait_block(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  dispatch_barrier_async_and_wait(queue, ^{
    work(context);
  });
}

static void sync_here(void) {
  check_here(dispatch_sync_f);
  check_here(sync_block);
}

static void barrier_sync_here(void) {
  check_here(dispatch_barrier_sync_f);
  check_here(barrier_block);
}

static void async_and_wait_here(void) {
  check_here(dispatch_async_and_wait_f);
  check_here(wait_block);
  check_here(dispatch_barrier_async_and_wait_f);
  check_here(barrier_wait_block);
}

static void nothing(void *unused) { (void)unused; }

static void keeps_errno(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  errno = ENOTEMPTY;
  dispatch_sync_f(queue, NULL, nothing);
  EXPECT_CODE(errno, ENOTEMPTY);
  dispatch_sync_f(queue, NULL, nothing);
  dispatch_barrier_sync_f(queue, NULL, nothing);
  EXPECT_CODE(errno, ENOTEMPTY);
  dispatch_sync(queue, ^{
    errno = EDOM;
  });
  EXPECT_CODE(errno, EDOM);
}

static int next, out_of_order;

static void expect_next(void *index) {
  if ((long)index != next) out_of_order++;
  next++;
}

/* A serial queue runs what comes by any door in the order of submission. */
static void serial_order(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  for (long index = 0; index < BLOCKS; index++) {
    switch (index % 4) {
    case 0: dispatch_async_f(queue, (void *)index, expect_next); break;
    case 1:
      dispatch_async(queue, ^{
        expect_next((void *)index);
      });
      break;
    case 2: dispatch_barrier_async_f(queue, (void *)index, expect_next); break;
    case 3:
      dispatch_barrier_async(queue, ^{
        expect_next((void *)index);
      });
      break;
    }
  }
  dispatch_sync_f(queue, (void *)BLOCKS, expect_next);
  EXPECT(next, BLOCKS + 1);
  EXPECT(out_of_order, 0);
}

static atomic_int inside, most_inside, runs;

static void count_inside(void *unused) {
  (void)unused;
  int now = atomic_fetch_add(&inside, 1) + 1;
  int most = atomic_load(&most_inside);
  while (now > most && !atomic_compare_exchange_weak(&most_inside, &most, now)) {
  }
  sched_yield();
  atomic_fetch_add(&runs, 1);
  atomic_fetch_sub(&inside, 1);
}

static void *submit_many(void *queue) {
  for (int index = 0; index < BLOCKS; index++) {
    if (index % 5 == 0) {
      dispatch_sync_f(queue, NULL, count_inside);
    } else {
      dispatch_async_f(queue, NULL, count_inside);
    }
  }
  return NULL;
}

static void serial_excludes(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  pthread_t other = conformance_start(submit_many, queue);
  submit_many(queue);
  pthread_join(other, NULL);
  dispatch_sync_f(queue, NULL, nothing);
  EXPECT(runs, 2 * BLOCKS);
  EXPECT(most_inside, 1);
}

static atomic_int readers, writers, intrusions;

static void read_side(void *unused) {
  (void)unused;
  atomic_fetch_add(&readers, 1);
  if (atomic_load(&writers) != 0) atomic_fetch_add(&intrusions, 1);
  sched_yield();
  atomic_fetch_sub(&readers, 1);
}

static void write_side(void *unused) {
  (void)unused;
  if (atomic_fetch_add(&writers, 1) != 0) atomic_fetch_add(&intrusions, 1);
  if (atomic_load(&readers) != 0) atomic_fetch_add(&intrusions, 1);
  sched_yield();
  atomic_fetch_add(&runs, 1);
  atomic_fetch_sub(&writers, 1);
}

static void barriers_exclude(void) {
  dispatch_queue_t queue = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
  for (int index = 0; index < BLOCKS; index++) {
    dispatch_async_f(queue, NULL, read_side);
    if (index % 10 == 0) dispatch_barrier_async_f(queue, NULL, write_side);
    if (index % 50 == 0) dispatch_barrier_sync_f(queue, NULL, write_side);
    if (index % 50 == 1) dispatch_barrier_async_and_wait_f(queue, NULL, write_side);
    if (index % 50 == 2) dispatch_sync_f(queue, NULL, read_side);
  }
  dispatch_barrier_sync_f(queue, NULL, nothing);
  EXPECT(runs, BLOCKS / 10 + 2 * (BLOCKS / 50));
  EXPECT(intrusions, 0);
}

static atomic_int marks[ITERATIONS];

static void mark(void *unused, size_t index) {
  (void)unused;
  atomic_fetch_add(&marks[index], 1);
}

static int count_marked(int times) {
  int count = 0;
  for (int index = 0; index < ITERATIONS; index++) count += atomic_load(&marks[index]) == times;
  return count;
}

static void apply(void) {
  dispatch_queue_t queue = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
  dispatch_apply_f(ITERATIONS, queue, NULL, mark);
  EXPECT(count_marked(1), ITERATIONS);
  dispatch_apply(ITERATIONS, NULL, ^(size_t index) {
    mark(NULL, index);
  });
  EXPECT(count_marked(2), ITERATIONS);
  dispatch_apply(ITERATIONS / 10, NULL, ^(size_t outer) {
    dispatch_apply_f(10, queue, NULL, mark);
    (void)outer;
  });
  EXPECT(atomic_load(&marks[0]), 2 + ITERATIONS / 10);
  dispatch_apply_f(0, queue, NULL, mark);
  EXPECT(atomic_load(&marks[0]), 2 + ITERATIONS / 10);
}

static void expect_index(void *unused, size_t index) {
  (void)unused;
  expect_next((void *)index);
}

static void apply_serial(void) {
  dispatch_queue_t queue = dispatch_queue_create("serial", NULL);
  dispatch_apply_f(ITERATIONS, queue, NULL, expect_index);
  EXPECT(next, ITERATIONS);
  EXPECT(out_of_order, 0);
}

const conformance_case submit_cases[] = {
    {"dispatch.sync-here", sync_here},
    {"dispatch.barrier-sync-here", barrier_sync_here},
    {"dispatch.async-and-wait-here", async_and_wait_here},
    {"dispatch.keeps-errno", keeps_errno},
    {"dispatch.serial-order", serial_order},
    {"dispatch.serial-excludes", serial_excludes},
    {"dispatch.barriers-exclude", barriers_exclude},
    {"dispatch.apply", apply},
    {"dispatch.apply-serial", apply_serial},
    {NULL},
};
