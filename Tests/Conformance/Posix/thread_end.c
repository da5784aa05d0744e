/* How a thread ends: clean-up handlers, thread-specific data, thread_local destructors. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <limits.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static char trace[64];

/* Appends one letter, under the lock. */
static void mark(char letter) {
  pthread_mutex_lock(&mutex);
  size_t length = 0;
  while (trace[length] != '\0') length++;
  if (length + 1 < sizeof trace) trace[length] = letter;
  pthread_mutex_unlock(&mutex);
}

static void mark_all(void *letters) {
  for (const char *letter = letters; *letter != '\0'; letter++) mark(*letter);
}

static void *set_specific(void *value) {
  mark('t');
  pthread_setspecific(key, value);
  return NULL;
}

static void specific_destructor(void) {
  pthread_key_create(&key, mark_all);
  pthread_join(conformance_start(set_specific, "d"), NULL);
  conformance_text("trace", trace, "td");
}

static void set_again(void *rounds) {
  mark('r');
  if (rounds != (void *)1) pthread_setspecific(key, (char *)rounds - 1);
}

/* A destructor that sets its value again is called again, PTHREAD_DESTRUCTOR_ITERATIONS times. */
static void specific_again(void) {
  pthread_key_create(&key, set_again);
  pthread_join(conformance_start(set_specific, (void *)100), NULL);
  EXPECT(PTHREAD_DESTRUCTOR_ITERATIONS, 4);
  conformance_text("trace", trace, "trrrr");
}

static void *mark_in_thread(void *unused) {
  mark('n');
  return unused;
}

static void start_thread(void *unused) {
  (void)unused;
  pthread_join(conformance_start(mark_in_thread, NULL), NULL);
}

static void specific_starts_thread(void) {
  pthread_key_create(&key, start_thread);
  pthread_join(conformance_start(set_specific, "x"), NULL);
  conformance_text("trace", trace, "tn");
}

extern int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *image);
extern void *__dso_handle __attribute__((visibility("hidden")));

static void *register_destructors(void *unused) {
  __cxa_thread_atexit_impl(mark_all, "1", &__dso_handle);
  __cxa_thread_atexit_impl(mark_all, "2", &__dso_handle);
  pthread_setspecific(key, "k");
  return unused;
}

/* thread_local objects go last in, first out, before the thread-specific data. */
static void thread_local_destructors(void) {
  pthread_key_create(&key, mark_all);
  pthread_join(conformance_start(register_destructors, NULL), NULL);
  conformance_text("trace", trace, "21k");
}

static void leave(void) {
  pthread_cleanup_push(mark_all, "c");
  pthread_exit((void *)5);
  pthread_cleanup_pop(0);
}

static void *exit_deep_down(void *unused) {
  pthread_setspecific(key, "k");
  pthread_cleanup_push(mark_all, "a");
  pthread_cleanup_push(mark_all, "b");
  leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

static void exit_runs_handlers(void) {
  pthread_key_create(&key, mark_all);
  void *value = NULL;
  pthread_join(conformance_start(exit_deep_down, NULL), &value);
  conformance_text("trace", trace, "cbak");
  EXPECT((long)value, 5);
}

static void *exit_holding(void *held) {
  pthread_mutex_lock(held);
  pthread_exit(NULL);
}

static void exit_while_holding(void) {
  static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_join(conformance_start(exit_holding, &held), NULL);
  EXPECT_CODE(conformance_elsewhere(probe, &held), EBUSY);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

const conformance_case thread_end_cases[] = {
    {"end.specific-destructor", specific_destructor},
    {"end.specific-again", specific_again, 0,
     "its thread state is gone in the last round of destructors"},
    {"end.specific-starts-thread", specific_starts_thread},
    {"end.thread-local-destructors", thread_local_destructors},
    {"end.exit-runs-handlers", exit_runs_handlers},
    {"end.exit-while-holding", exit_while_holding},
    {NULL},
};
