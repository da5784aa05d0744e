#ifdef __linux__
#include "ground/base.h"
#include "ground/watchdog.h"
#include "ground/brackets.h"
#include "ground/kernel.h"
#include "ground/own_thread.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Ticks go on for a while after the last disarm, so that tests that follow each other closely do
 * not wake the thread each time. */
enum { LINGERING = 20, SIGNAL_BYTES = 8 };
static tm_check *_Atomic checks;
static atomic_uint armed, bell;
static atomic_bool asleep;
static void (*_Atomic urgent)(void);

/* The thread's life. A fork under TSan asks it to leave, and so does the end of the last other
 * thread. */
enum { NOT_MADE, BEING_MADE, MADE, LEAVES, HAS_LEFT };
static atomic_uint life_now;
static tm_own_thread thread;
static atomic_bool main_has_ended;

/* The watchdog's own thread record, in no list. It is always inside, so that the watchdog's calls
 * are never taken for the user's. */
static tm_thread own;

static void wait_for_bell(unsigned heard, const struct timespec *limit) {
  syscall(SYS_futex, &bell, FUTEX_WAIT_PRIVATE, heard, limit, NULL, 0);
}

static void ring(void) {
  atomic_fetch_add(&bell, 1);
  syscall(SYS_futex, &bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* After the main thread's end, the thread looks once a second whether it is the last one. */
static void sleep_until_armed(void) {
  static const struct timespec second = {1, 0};
  atomic_store(&asleep, true);
  unsigned heard = atomic_load(&bell);
  /* Read after `asleep` is set: a caller that arms a check either sees it set, or is seen here. */
  bool has_work = atomic_load(&urgent) || (atomic_load(&armed) != 0 && tm_is_active());
  if (!has_work && atomic_load(&life_now) != LEAVES)
    wait_for_bell(heard, atomic_load(&main_has_ended) ? &second : NULL);
  atomic_store(&asleep, false);
}

static void look_around(void) {
  void (*work)(void) = atomic_exchange(&urgent, NULL);
  if (work) work();
  for (tm_check *c = atomic_load(&checks); c; c = atomic_load(&c->next))
    if (atomic_load(&c->armed) && tm_is_active()) c->look(c);
}

/* Two looks: a thread that ends while the first one reads the list may have started another. */
static bool is_alone(void) {
  return atomic_load(&main_has_ended) && tm_task_is_alone() && tm_task_is_alone();
}

/* Returns whether the thread has to go on. A process lives as long as its last thread: once only
 * this one is left, it must go too. The program's exit handlers then run on it, so it takes signals
 * again. */
static bool is_needed(void) {
  unsigned leaves = LEAVES;
  if (atomic_compare_exchange_strong(&life_now, &leaves, HAS_LEFT)) return false;
  if (!is_alone()) return true;
  atomic_store(&life_now, HAS_LEFT);
  own.ground.runs_program = true;
  tm_watchdog_obey();
  return false;
}

static void *watch(void *unused) {
  static const struct timespec tick = {0, TM_TICK_MS * 1000000L};
  own.ground.inside = 1;
  tm_self = &own;
  tm_ignore_begin();
  for (unsigned idle = 0; is_needed();) {
    idle = atomic_load(&armed) ? 0 : idle + 1;
    if (idle > LINGERING || !tm_is_active()) sleep_until_armed();
    else wait_for_bell(atomic_load(&bell), &tick);
    look_around();
  }
  tm_ignore_end();
  syscall(SYS_futex, &life_now, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

static void make(void) {
  unsigned not_made = NOT_MADE;
  if (!atomic_compare_exchange_strong(&life_now, &not_made, BEING_MADE)) return;
  bool made = tm_own_thread_start(&thread, watch);
  atomic_store(&life_now, made ? MADE : NOT_MADE);
}

void tm_watchdog_prepare(void) { make(); }

bool tm_watchdog_urgent(void (*work)(void)) {
  void (*none)(void) = NULL;
  if (atomic_load(&life_now) != MADE || !atomic_compare_exchange_strong(&urgent, &none, work))
    return false;
  ring();
  return true;
}

void tm_watchdog_thread_ends(bool is_main) {
  if (is_main) atomic_store(&main_has_ended, true);
  if (atomic_load(&main_has_ended)) ring();
}

/* Waits until the thread has left; false if it is at work for longer than the limit. */
static bool has_left(void) {
  struct timespec limit = {1, 0};
  for (unsigned now; (now = atomic_load(&life_now)) != HAS_LEFT;)
    if (syscall(SYS_futex, &life_now, FUTEX_WAIT_PRIVATE, now, &limit, NULL, 0) != 0 &&
        errno == ETIMEDOUT)
      return false;
  return true;
}

bool tm_watchdog_leave(void) {
  unsigned made = MADE;
  if (tm_self == &own) return false;
  if (!atomic_compare_exchange_strong(&life_now, &made, LEAVES)) return false;
  tm_quiet before = tm_quiet_begin();
  ring();
  unsigned leaves = LEAVES;
  bool left = has_left() || !atomic_compare_exchange_strong(&life_now, &leaves, MADE);
  if (left) {
    tm_own_thread_join(&thread);
    atomic_store(&life_now, NOT_MADE);
  }
  tm_quiet_end(before);
  return left;
}

void tm_watchdog_obey(void) {
  uint64_t none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, SIGNAL_BYTES);
}

static void enlist(tm_check *check) {
  if (atomic_exchange(&check->listed, true)) return;
  tm_check *first = atomic_load(&checks);
  do atomic_store(&check->next, first);
  while (!atomic_compare_exchange_weak(&checks, &first, check));
}

void tm_watchdog_arm(tm_check *check) {
  enlist(check);
  atomic_fetch_add(&check->armed, 1);
  atomic_fetch_add(&armed, 1);
  make();
  if (atomic_load(&asleep)) ring();
}

void tm_watchdog_disarm(tm_check *check) {
  atomic_fetch_sub(&check->armed, 1);
  atomic_fetch_sub(&armed, 1);
}

void tm_watchdog_call(void (*work)(void *), void *context) {
  tm_quiet before = tm_upcall_begin(&own);
  work(context);
  tm_upcall_end(&own, before);
}

TM_GATE_CODE_END
#endif
