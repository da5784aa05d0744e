/* pthread_create and what a new thread finds. pthread_create(3), pthread_attr_init(3). */
#include "conformance_posix.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 1000, DETACHED = 100, SMALL_STACK = 64 << 10, STACK = 1 << 20 };

static void *give_back(void *argument) { return argument; }

static void return_value(void) {
  pthread_t thread;
  void *value = NULL;
  EXPECT_CODE(pthread_create(&thread, NULL, give_back, (void *)4711), 0);
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT((long)value, 4711);
  EXPECT_CODE(pthread_create(&thread, NULL, give_back, NULL), 0);
  EXPECT_OK(pthread_join(thread, NULL));
}

static void *exit_with(void *value) { pthread_exit(value); }

static void exit_value(void) {
  void *value = NULL;
  EXPECT_OK(pthread_join(conformance_start(exit_with, (void *)42), &value));
  EXPECT((long)value, 42);
}

static void *own_identity(void *unused) {
  (void)unused;
  return (void *)pthread_self();
}

static void identity(void) {
  void *own = NULL;
  pthread_t thread = conformance_start(own_identity, NULL);
  pthread_t kept = thread;
  EXPECT_OK(pthread_join(thread, &own));
  EXPECT(pthread_equal((pthread_t)own, kept) != 0, true);
  EXPECT(pthread_equal((pthread_t)own, pthread_self()) != 0, false);
}

static atomic_int go, arrived;

static void *arrive_and_wait(void *argument) {
  atomic_fetch_add(&arrived, 1);
  conformance_await(&go, 1);
  return argument;
}

/* All alive at the same time. */
static void thousand(void) {
  static pthread_t threads[THREADS];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, SMALL_STACK);
  int created = 0, matching = 0;
  for (long index = 0; index < THREADS; index++) {
    int code = pthread_create(&threads[index], &attributes, arrive_and_wait, (void *)index);
    created += code == 0;
  }
  EXPECT(created, THREADS);
  conformance_await(&arrived, THREADS);
  atomic_store(&go, 1);
  for (long index = 0; index < THREADS; index++) {
    void *value = NULL;
    matching += pthread_join(threads[index], &value) == 0 && value == (void *)index;
  }
  EXPECT(matching, THREADS);
}

static void thousand_in_turn(void) {
  int matching = 0;
  for (long index = 0; index < THREADS; index++) {
    void *value = NULL;
    pthread_t thread = conformance_start(give_back, (void *)index);
    matching += pthread_join(thread, &value) == 0 && value == (void *)index;
  }
  EXPECT(matching, THREADS);
}

static sem_t finished;

static void *post_finished(void *unused) {
  sem_post(&finished);
  return unused;
}

static void detached(void) {
  sem_init(&finished, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int failures = 0;
  for (int index = 0; index < DETACHED; index++) {
    pthread_t thread;
    failures += pthread_create(&thread, &attributes, post_finished, NULL) != 0;
    failures += pthread_detach(conformance_start(post_finished, NULL)) != 0;
  }
  for (int index = 0; index < 2 * DETACHED; index++) failures += sem_wait(&finished) != 0;
  EXPECT(failures, 0);
}

static void *stack_size(void *unused) {
  (void)unused;
  pthread_attr_t attributes;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return (void *)size;
}

/* The smallest stack that the system allows is enough, and a wish for more is granted. */
static void stack_sizes(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  void *value = NULL;
  pthread_attr_init(&attributes);
  EXPECT_CODE(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN), 0);
  EXPECT_CODE(pthread_create(&thread, &attributes, give_back, (void *)1), 0);
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT((long)value, 1);
  EXPECT_CODE(pthread_attr_setstacksize(&attributes, STACK), 0);
  EXPECT_CODE(pthread_create(&thread, &attributes, stack_size, NULL), 0);
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT((size_t)value >= STACK, true);
}

static void no_room(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_CODE(pthread_attr_setstacksize(&attributes, (size_t)1 << 47), 0);
  pthread_t thread;
  EXPECT_CODE(pthread_create(&thread, &attributes, give_back, NULL), EAGAIN);
}

static void *signal_mask(void *unused) {
  (void)unused;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  return (void *)(long)(sigismember(&mask, SIGUSR1) * 10 + sigismember(&mask, SIGUSR2));
}

static void inherited_mask(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  void *value = NULL;
  pthread_join(conformance_start(signal_mask, NULL), &value);
  EXPECT((long)value, 10);
  EXPECT((long)signal_mask(NULL), 10);
}

static void *cancel_defaults(void *unused) {
  (void)unused;
  int state = -1, type = -1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
  return (void *)(long)(state == PTHREAD_CANCEL_ENABLE && type == PTHREAD_CANCEL_DEFERRED);
}

static void cancel_state(void) {
  int before = -1;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  EXPECT(before, PTHREAD_CANCEL_ENABLE);
  void *value = NULL;
  pthread_join(conformance_start(cancel_defaults, NULL), &value);
  EXPECT((long)value, true);
  pthread_setcancelstate(before, &before);
  EXPECT(before, PTHREAD_CANCEL_DISABLE);
}

static void *family_tree(void *depth) {
  if (depth == NULL) return NULL;
  void *below = NULL;
  pthread_join(conformance_start(family_tree, (char *)depth - 1), &below);
  return (char *)below + 1;
}

static void nested(void) { EXPECT((long)family_tree((void *)20), 20); }

const conformance_case thread_cases[] = {
    {"thread.return-value", return_value},
    {"thread.exit-value", exit_value},
    {"thread.identity", identity},
    {"thread.1000-alive", thousand},
    {"thread.1000-in-turn", thousand_in_turn},
    {"thread.200-detached", detached},
    {"thread.stack-sizes", stack_sizes},
    {"thread.no-room", no_room},
    {"thread.inherited-mask", inherited_mask},
    {"thread.cancel-state", cancel_state},
    {"thread.nested", nested},
    {NULL},
};
