/* Before main and after it: constructors, destructors and exit handlers that lock. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  sem_t semaphore;
  int ran, failures;
} early;

static early before_all, first, last;

/* Uses every kind of lock, nested; keeps count of what did not return 0. */
static void use_locks(early *at) {
  at->ran++;
  pthread_mutex_init(&at->mutex, NULL);
  pthread_rwlock_init(&at->rwlock, NULL);
  at->failures += pthread_mutex_lock(&at->mutex);
  at->failures += pthread_rwlock_wrlock(&at->rwlock);
  at->failures += sem_init(&at->semaphore, 0, 1);
  at->failures += sem_wait(&at->semaphore);
  at->failures += sem_post(&at->semaphore);
  at->failures += pthread_rwlock_unlock(&at->rwlock);
  at->failures += pthread_mutex_trylock(&at->mutex) != EBUSY;
  at->failures += pthread_mutex_unlock(&at->mutex);
}

static void *use_locks_in_thread(void *at) {
  use_locks(at);
  return NULL;
}

/* The first constructors of the program, and the last: the gate's own may run between them. */
__attribute__((constructor(101))) static void construct_first(void) {
  use_locks(&first);
  pthread_join(conformance_start(use_locks_in_thread, &first), NULL);
}

__attribute__((constructor(65535))) static void construct_last(void) { use_locks(&last); }

#if !__has_feature(thread_sanitizer)
/* Runs before the constructors of every library; Thread Sanitizer is not ready for code so early.
 */
static void construct_before_all(void) { use_locks(&before_all); }

__attribute__((section(".preinit_array"),
               used)) static void (*before_all_entry)(void) = construct_before_all;
#endif

static void before_main(void) {
  EXPECT(first.ran, 2);
  EXPECT(first.failures, 0);
  EXPECT(last.ran, 1);
  EXPECT(last.failures, 0);
  EXPECT_OK(pthread_mutex_lock(&first.mutex));
  EXPECT_OK(pthread_mutex_unlock(&first.mutex));
}

static void before_constructors(void) {
  EXPECT(before_all.ran, 1);
  EXPECT(before_all.failures, 0);
}

static bool tell_after_main;

static void tell(const char *when) {
  if (!tell_after_main) return;
  early late = {.ran = 0};
  use_locks(&late);
  pthread_join(conformance_start(use_locks_in_thread, &late), NULL);
  conformance_int(when, late.ran * 10 + late.failures, 20);
}

__attribute__((destructor(101))) static void destruct_last(void) { tell("last destructor"); }
__attribute__((destructor(65535))) static void destruct_first(void) { tell("first destructor"); }
static void at_exit_first(void) { tell("exit handler registered first"); }
static void at_exit_second(void) { tell("exit handler registered second"); }

static void on_exit_third(int status, void *argument) {
  EXPECT(status, 0);
  tell(argument);
}

/* The supervisor sees the facts in the order in which they were stated. */
static void after_main(void) {
  tell_after_main = true;
  EXPECT_CODE(atexit(at_exit_first), 0);
  EXPECT_CODE(atexit(at_exit_second), 0);
  EXPECT_CODE(on_exit(on_exit_third, "exit handler registered third"), 0);
}

static pthread_key_t key;

static void specific_at_exit(void *text) { conformance_text("specific", text, "value"); }

static void *leave_specific(void *unused) {
  pthread_setspecific(key, "value");
  return unused;
}

/* A key made before main was left serves threads of exit handlers too. */
static void run_thread_at_exit(void) {
  pthread_join(conformance_start(leave_specific, NULL), NULL);
}

static void thread_at_exit(void) {
  pthread_key_create(&key, specific_at_exit);
  EXPECT_CODE(atexit(run_thread_at_exit), 0);
}

static void at_quick(void) {
  tell_after_main = true;
  tell("quick exit handler");
}

static void quick(void) {
  EXPECT_CODE(atexit(abort), 0);
  EXPECT_CODE(at_quick_exit(at_quick), 0);
  quick_exit(6);
}

const conformance_case life_cases[] = {
    {"life.before-main", before_main},
    {"life.before-constructors", before_constructors, 0, "its runtime is not ready so early"},
    {"life.after-main", after_main},
    {"life.thread-at-exit", thread_at_exit},
    {"life.quick-exit", quick, 6},
    {NULL},
};
