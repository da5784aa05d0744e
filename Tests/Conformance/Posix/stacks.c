/* Locks on stacks with little room: of small threads, signal handlers and coroutines.
 * pthread_create (3), sigaltstack(2), makecontext(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

enum { KIB = 1024, LOCKS = 8 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t others[LOCKS];
static int failures;

static void take_both(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  failures += pthread_mutex_lock(outer) != 0;
  failures += pthread_mutex_lock(inner) != 0;
  failures += pthread_mutex_unlock(inner) != 0;
  failures += pthread_mutex_unlock(outer) != 0;
}

/* Every pair of locks in one order: as many new orders. */
static void *take_pairs(void *unused) {
  for (int outer = 0; outer < LOCKS; outer++)
    for (int inner = outer + 1; inner < LOCKS; inner++) take_both(&others[outer], &others[inner]);
  return unused;
}

static void *take_forth(void *unused) {
  take_both(&first, &second);
  return unused;
}

static void *take_back(void *unused) {
  take_both(&second, &first);
  return unused;
}

/* Runs the body on a thread with a stack of so many bytes. */
static void run_on(size_t bytes, void *(*body)(void *)) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_CODE(pthread_attr_setstacksize(&attributes, bytes), 0);
  EXPECT_CODE(pthread_create(&thread, &attributes, body, NULL), 0);
  EXPECT_CODE(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}

static void init_others(void) {
  for (int index = 0; index < LOCKS; index++) pthread_mutex_init(&others[index], NULL);
}

static void nest_on(size_t bytes) {
  init_others();
  run_on(bytes, take_pairs);
  EXPECT(failures, 0);
}

static void nested_on_least(void) { nest_on((size_t)PTHREAD_STACK_MIN); }
static void nested_on_24(void) { nest_on(24 * KIB); }
static void nested_on_64(void) { nest_on(64 * KIB); }

/* Opposite orders are a finding: the status is given here, so that it does not change. */
static void opposite_on(size_t bytes) {
  run_on(bytes, take_forth);
  run_on(bytes, take_back);
  EXPECT(failures, 0);
  _exit(conformance_failures());
}

static void opposite_on_least(void) { opposite_on((size_t)PTHREAD_STACK_MIN); }
static void opposite_on_48(void) { opposite_on(48 * KIB); }
static void opposite_on_256(void) { opposite_on(256 * KIB); }

static _Alignas(16) char small_stack[16 * KIB];

static void nest_in_handler(int number) {
  (void)number;
  take_pairs(NULL);
}

static void nested_in_handler(void) {
  init_others();
  stack_t stack = {.ss_sp = small_stack, .ss_size = sizeof small_stack};
  struct sigaction action = {.sa_handler = nest_in_handler, .sa_flags = SA_ONSTACK};
  EXPECT_CODE(sigaltstack(&stack, NULL), 0);
  EXPECT_CODE(sigaction(SIGUSR1, &action, NULL), 0);
  EXPECT_CODE(raise(SIGUSR1), 0);
  EXPECT(failures, 0);
}

static ucontext_t outside, inside;

static void nest_in_coroutine(void) {
  take_pairs(NULL);
  take_forth(NULL);
}

static void nested_in_coroutine(void) {
  init_others();
  EXPECT_CODE(getcontext(&inside), 0);
  inside.uc_stack = (stack_t){.ss_sp = small_stack, .ss_size = sizeof small_stack};
  inside.uc_link = &outside;
  makecontext(&inside, nest_in_coroutine, 0);
  EXPECT_CODE(swapcontext(&outside, &inside), 0);
  EXPECT(failures, 0);
}

/* A wait that blocks, on the least of stacks, until the main thread releases. */
static void *wait_for_first(void *tid) {
  atomic_store((atomic_int *)tid, gettid());
  take_both(&first, &second);
  return NULL;
}

static void blocked_on_least(void) {
  static atomic_int tid;
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
  EXPECT_OK(pthread_mutex_lock(&first));
  EXPECT_CODE(pthread_create(&thread, &attributes, wait_for_first, &tid), 0);
  conformance_await(&tid, 1);
  conformance_until_asleep(atomic_load(&tid));
  EXPECT_OK(pthread_mutex_unlock(&first));
  EXPECT_CODE(pthread_join(thread, NULL), 0);
  EXPECT(failures, 0);
}

static const char tsan_needs_more[] = "its own records need more stack than that";

const conformance_case stack_cases[] = {
    {"stack.nested-on-the-least", nested_on_least, 0, tsan_needs_more},
    {"stack.nested-on-24-kib", nested_on_24, 0, tsan_needs_more},
    {"stack.nested-on-64-kib", nested_on_64},
    {"stack.opposite-on-the-least", opposite_on_least, 0, tsan_needs_more},
    {"stack.opposite-on-48-kib", opposite_on_48, 0, tsan_needs_more},
    {"stack.opposite-on-256-kib", opposite_on_256},
    {"stack.nested-in-handler", nested_in_handler, 0, tsan_needs_more},
    {"stack.nested-in-coroutine", nested_in_coroutine, 0, "it does not know coroutines"},
    {"stack.blocked-on-the-least", blocked_on_least, 0, tsan_needs_more},
    {NULL},
};
