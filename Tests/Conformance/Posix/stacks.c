/* Locks on stacks with little room: of small threads, signal handlers and coroutines.
 * pthread_create (3), sigaltstack(2), makecontext(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* Signals have a stack of their own only if the program gives them one. */

static void expect_handler_stack(void *at, size_t size, int flags) {
  stack_t now;
  memset(&now, 1, sizeof now);
  EXPECT_CODE(sigaltstack(NULL, &now), 0);
  EXPECT(now.ss_sp == at, 1);
  EXPECT((int)now.ss_size, (int)size);
  EXPECT(now.ss_flags, flags);
}

static void *use_handler_stack(void *unused) {
  static char room[64 * 1024];
  stack_t own = {.ss_sp = room, .ss_size = sizeof room}, none = {.ss_flags = SS_DISABLE}, before;
  expect_handler_stack(NULL, 0, SS_DISABLE);
  EXPECT_CODE(sigaltstack(&own, &before), 0);
  EXPECT(before.ss_flags, SS_DISABLE);
  expect_handler_stack(room, sizeof room, 0);
  EXPECT_CODE(sigaltstack(&before, &own), 0);
  EXPECT(own.ss_sp == room, 1);
  expect_handler_stack(NULL, 0, SS_DISABLE);
  EXPECT_CODE(sigaltstack(&none, NULL), 0);
  expect_handler_stack(NULL, 0, SS_DISABLE);
  stack_t least = {.ss_sp = room, .ss_size = 1};
  errno = 0;
  EXPECT_CODE(sigaltstack(&least, NULL) == -1 ? errno : 0, ENOMEM);
  return unused;
}

static void handler_stack_of_main(void) { use_handler_stack(NULL); }

static void handler_stack_of_thread(void) {
  pthread_t thread = conformance_start(use_handler_stack, NULL);
  EXPECT_CODE(pthread_join(thread, NULL), 0);
}

__attribute__((noinline)) static int descend(volatile char *above) {
  volatile char here[1024];
  here[0] = above[0];
  return descend(here) + here[0];
}

static void *use_up_stack(void *unused) {
  volatile char top = 0;
  descend(&top);
  return unused;
}

static void overflow_of_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use_up_stack, NULL);
  pthread_join(thread, NULL);
}

static void never_called(int number) { _exit(number); }

/* A handler cannot be called without a stack for it. */
static void overflow_without_handler_stack(void) {
  struct sigaction action = {.sa_handler = never_called, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  overflow_of_thread();
}

static const char tsan_has_one[] = "it gives each thread a stack for signals, and handles crashes";
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
    {"stack.for-signals-of-main", handler_stack_of_main, 0, tsan_has_one},
    {"stack.for-signals-of-thread", handler_stack_of_thread, 0, tsan_has_one},
    {"stack.overflow", overflow_of_thread, CONFORMANCE_SIGNAL + SIGSEGV, tsan_has_one},
    {"stack.overflow-under-a-handler", overflow_without_handler_stack, CONFORMANCE_SIGNAL + SIGSEGV,
     tsan_has_one},
    {"stack.blocked-on-the-least", blocked_on_least, 0, tsan_needs_more},
    {NULL},
};
