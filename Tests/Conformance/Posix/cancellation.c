/* Cancellation: handlers run, mutexes are taken back, nothing else is a cancellation point.
 * pthreads(7), pthread_cancel(3), pthread_setcancelstate(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int tid, go, cleaned, unlock_code, passed;
static const struct timespec an_hour = {.tv_sec = 3600};

static void enter(void) { atomic_store(&tid, gettid()); }

static void clean(void *unused) {
  (void)unused;
  atomic_fetch_add(&cleaned, 1);
}

/* An error-checking mutex tells whether the handler's thread owns it. */
static void unlock_mutex(void *unused) {
  clean(unused);
  atomic_store(&unlock_code, pthread_mutex_unlock(&mutex));
}

/* Cancels a thread once it sleeps in `body`. The answers are the same if it does not sleep yet. */
static void cancel_in(void *(*body)(void *)) {
  pthread_t thread = conformance_start(body, NULL);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  EXPECT_CODE(pthread_cancel(thread), 0);
  void *value = NULL;
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT(value == PTHREAD_CANCELED, true);
  EXPECT(cleaned, 1);
  EXPECT(passed, 0);
}

static void *wait_on_condition(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock_mutex, NULL);
  enter();
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  return unused;
}

static void *timedwait_on_condition(void *unused) {
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock_mutex, NULL);
  enter();
  for (;;) pthread_cond_timedwait(&condition, &mutex, &late);
  pthread_cleanup_pop(0);
  return unused;
}

static void *clockwait_on_condition(void *unused) {
  struct timespec late = conformance_from_now(CLOCK_MONOTONIC, 1000000);
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock_mutex, NULL);
  enter();
  for (;;) pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &late);
  pthread_cleanup_pop(0);
  return unused;
}

static void cancel_in_wait(void *(*body)(void *)) {
  init_kind(&mutex, PTHREAD_MUTEX_ERRORCHECK);
  atomic_store(&unlock_code, -1);
  cancel_in(body);
  EXPECT_CODE(unlock_code, 0);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static void in_cond_wait(void) { cancel_in_wait(wait_on_condition); }
static void in_cond_timedwait(void) { cancel_in_wait(timedwait_on_condition); }
static void in_cond_clockwait(void) { cancel_in_wait(clockwait_on_condition); }

/* Defines a thread body that cleans up when `call` is cancelled. */
#define BLOCKED_IN(name, call)         \
  static void *name(void *unused) {    \
    pthread_cleanup_push(clean, NULL); \
    enter();                           \
    call;                              \
    atomic_store(&passed, 1);          \
    pthread_cleanup_pop(0);            \
    return unused;                     \
  }

static struct timespec late_moment;
static pthread_t endless;

BLOCKED_IN(wait_semaphore, sem_wait(&semaphore))
BLOCKED_IN(timedwait_semaphore, sem_timedwait(&semaphore, &late_moment))
BLOCKED_IN(clockwait_semaphore, sem_clockwait(&semaphore, CLOCK_REALTIME, &late_moment))
BLOCKED_IN(join_endless, pthread_join(endless, NULL))
BLOCKED_IN(sleep_long, sleep(3600))
BLOCKED_IN(usleep_long, usleep(999999999))
BLOCKED_IN(nanosleep_long, nanosleep(&an_hour, NULL))
BLOCKED_IN(clock_sleep_long, clock_nanosleep(CLOCK_MONOTONIC, 0, &an_hour, NULL))

static void cancel_in_semaphore(void *(*body)(void *)) {
  sem_init(&semaphore, 0, 0);
  late_moment = conformance_from_now(CLOCK_REALTIME, 1000000);
  cancel_in(body);
  EXPECT_OK(sem_post(&semaphore));
  EXPECT_OK(sem_trywait(&semaphore));
}

static void in_sem_wait(void) { cancel_in_semaphore(wait_semaphore); }
static void in_sem_timedwait(void) { cancel_in_semaphore(timedwait_semaphore); }
static void in_sem_clockwait(void) { cancel_in_semaphore(clockwait_semaphore); }
static void in_sleep(void) { cancel_in(sleep_long); }
static void in_usleep(void) { cancel_in(usleep_long); }
static void in_nanosleep(void) { cancel_in(nanosleep_long); }
static void in_clock_nanosleep(void) { cancel_in(clock_sleep_long); }

static void *wait_for_go(void *argument) {
  conformance_await(&go, 1);
  return argument;
}

static pthread_t main_thread;

static void *join_main(void *unused) {
  pthread_cleanup_push(clean, NULL);
  enter();
  pthread_join(main_thread, NULL);
  atomic_store(&passed, 1);
  pthread_cleanup_pop(0);
  return unused;
}

/* Each of two threads joins the other one, which is no deadlock: one of them is cancelled. In some
 * of the rounds it has not gone yet when the other one comes to wait for it. */
static void in_circular_join(void) {
  enum { ROUNDS = 100 };
  main_thread = pthread_self();
  for (int round = 0; round < ROUNDS; round++) {
    atomic_store(&tid, 0);
    atomic_store(&cleaned, 0);
    cancel_in(join_main);
  }
}

/* The thread that the cancelled one was joining can still be joined. */
static void in_join(void) {
  endless = conformance_start(wait_for_go, (void *)3);
  cancel_in(join_endless);
  atomic_store(&go, 1);
  void *value = NULL;
  EXPECT_OK(pthread_join(endless, &value));
  EXPECT((long)value, 3);
}

/* A pending request acts at sem_wait even if the semaphore is free; its value stays. */
static void *wait_cancelled(void *unused) {
  pthread_cancel(pthread_self());
  pthread_cleanup_push(clean, NULL);
  sem_wait(&semaphore);
  atomic_store(&passed, 1);
  pthread_cleanup_pop(0);
  return unused;
}

static void pending_at_sem_wait(void) {
  sem_init(&semaphore, 0, 1);
  void *value = NULL;
  pthread_join(conformance_start(wait_cancelled, NULL), &value);
  EXPECT(value == PTHREAD_CANCELED, true);
  EXPECT(cleaned, 1);
  EXPECT(passed, 0);
  EXPECT_OK(sem_trywait(&semaphore));
}

/* Locks are no cancellation points: the request stays pending until there is one. */
static void *lock_cancelled(void *unused) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_cancel(pthread_self());
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_trylock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_barrier_wait(&barrier);
  pthread_cond_signal(&condition);
  sem_post(&semaphore);
  atomic_store(&passed, 1);
  pthread_testcancel();
  atomic_store(&passed, 2);
  return unused;
}

static void locks_are_no_points(void) {
  init_kind(&mutex, PTHREAD_MUTEX_NORMAL);
  sem_init(&semaphore, 0, 0);
  void *value = NULL;
  pthread_join(conformance_start(lock_cancelled, NULL), &value);
  EXPECT(value == PTHREAD_CANCELED, true);
  EXPECT(passed, 1);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
  EXPECT_OK(sem_trywait(&semaphore));
}

/* Whoever takes a stack through a library's code without frame pointers needs more than those. */
static int make_objects(const void *unused, const void *unused_too) {
  (void)unused, (void)unused_too;
  pthread_mutex_t own;
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  pthread_cond_t own_condition;
  sem_t own_semaphore;
  pthread_mutex_init(&own, NULL);
  pthread_rwlock_init(&rwlock, NULL);
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_cond_init(&own_condition, NULL);
  sem_init(&own_semaphore, 0, 1);
  pthread_mutex_lock(&own);
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&own);
  sem_destroy(&own_semaphore);
  pthread_cond_destroy(&own_condition);
  pthread_barrier_destroy(&barrier);
  pthread_rwlock_destroy(&rwlock);
  pthread_mutex_destroy(&own);
  return 0;
}

static int lock_blocked(const void *unused, const void *unused_too) {
  (void)unused, (void)unused_too;
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&own);
  enter();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&own);
  return 0;
}

typedef int (*comparison)(const void *, const void *);
static comparison work;

static void *work_cancelled(void *unused) {
  int key = 0;
  pthread_cancel(pthread_self());
  bsearch(&key, &key, 1, sizeof key, work);
  atomic_store(&passed, 1);
  pthread_testcancel();
  atomic_store(&passed, 2);
  return unused;
}

static void expect_work_done(pthread_t thread) {
  void *value = NULL;
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT(value == PTHREAD_CANCELED, true);
  EXPECT(passed, 1);
}

static void making_is_no_point(void) {
  work = make_objects;
  expect_work_done(conformance_start(work_cancelled, NULL));
}

/* The request is there before the thread has to wait for the mutex. */
static void blocking_is_no_point(void) {
  work = lock_blocked;
  init_kind(&mutex, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_lock(&mutex);
  pthread_t thread = conformance_start(work_cancelled, NULL);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  pthread_mutex_unlock(&mutex);
  expect_work_done(thread);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static void *wait_disabled(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  enter();
  sem_wait(&semaphore);
  usleep(1);
  atomic_store(&passed, 1);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_testcancel();
  return unused;
}

static void disabled(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t thread = conformance_start(wait_disabled, NULL);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  pthread_cancel(thread);
  EXPECT(passed, 0);
  sem_post(&semaphore);
  void *value = NULL;
  pthread_join(thread, &value);
  EXPECT(passed, 1);
  EXPECT(value == PTHREAD_CANCELED, true);
}

static void *spin_asynchronously(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  enter();
  for (;;) __asm__ volatile("");
  return unused;
}

static void asynchronous(void) {
  pthread_t thread = conformance_start(spin_asynchronously, NULL);
  conformance_await(&tid, 1);
  EXPECT_CODE(pthread_cancel(thread), 0);
  void *value = NULL;
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT(value == PTHREAD_CANCELED, true);
}

/* A thread that is cancelled inside an interceptor of TSan stays marked as inside. */
static const char LEFT_INSIDE[] = "it calls a thread broken that was cancelled in its interceptor";

const conformance_case cancellation_cases[] = {
    {"cancellation.cond-wait", in_cond_wait},
    {"cancellation.cond-timedwait", in_cond_timedwait},
    {"cancellation.cond-clockwait", in_cond_clockwait},
    {"cancellation.sem-wait", in_sem_wait, 0, LEFT_INSIDE},
    {"cancellation.sem-timedwait", in_sem_timedwait, 0, LEFT_INSIDE},
    {"cancellation.sem-clockwait", in_sem_clockwait},
    {"cancellation.join", in_join, 0, LEFT_INSIDE},
    {"cancellation.circular-join", in_circular_join, 0, LEFT_INSIDE},
    {"cancellation.sleep", in_sleep, 0, LEFT_INSIDE},
    {"cancellation.usleep", in_usleep, 0, LEFT_INSIDE},
    {"cancellation.nanosleep", in_nanosleep, 0, LEFT_INSIDE},
    {"cancellation.clock-nanosleep", in_clock_nanosleep},
    {"cancellation.pending-at-sem-wait", pending_at_sem_wait, 0, LEFT_INSIDE},
    {"cancellation.locks-are-no-points", locks_are_no_points},
    {"cancellation.making-is-no-point", making_is_no_point},
    {"cancellation.blocking-is-no-point", blocking_is_no_point},
    {"cancellation.disabled", disabled},
    {"cancellation.asynchronous", asynchronous},
    {NULL},
};
