#ifdef __linux__
#include "ground/base.h"
#include "ground/watchdog.h"
#include "ground/brackets.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "threadmill_gate.h"
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
static atomic_bool asleep, made;
static void (*_Atomic urgent)(void);

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

/* Sleeps until a check is armed. Reads `armed` and `urgent` once more after it has set `asleep`. */
static void sleep_until_armed(void) {
  atomic_store(&asleep, true);
  unsigned heard = atomic_load(&bell);
  if (!atomic_load(&urgent) && (atomic_load(&armed) == 0 || !tm_is_active()))
    wait_for_bell(heard, NULL);
  atomic_store(&asleep, false);
}

static void look_around(void) {
  void (*work)(void) = atomic_exchange(&urgent, NULL);
  if (work) work();
  for (tm_check *c = atomic_load(&checks); c; c = atomic_load(&c->next))
    if (atomic_load(&c->armed) && tm_is_active()) c->look(c);
}

static void *watch(void *unused) {
  static const struct timespec tick = {0, TM_TICK_MS * 1000000L};
  own.ground.inside = 1;
  tm_self = &own;
  tm_ignore_begin();
  for (unsigned idle = 0;;) {
    idle = atomic_load(&armed) ? 0 : idle + 1;
    if (idle > LINGERING || !tm_is_active()) sleep_until_armed();
    else wait_for_bell(atomic_load(&bell), &tick);
    look_around();
  }
  return unused;
}

/* Makes the thread with all signals blocked: from its first instruction on, no signal handler of
 * the program runs on it. */
static void make(void) {
  if (atomic_exchange(&made, true)) return;
  uint64_t all = ~0ull, before = 0;
  pthread_attr_t detached;
  pthread_t thread;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGNAL_BYTES);
  TM_REAL(pthread_create)(&thread, &detached, watch, NULL);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_BYTES);
  pthread_attr_destroy(&detached);
}

void tm_watchdog_prepare(void) { make(); }

bool tm_watchdog_urgent(void (*work)(void)) {
  void (*none)(void) = NULL;
  if (!atomic_load(&made) || !atomic_compare_exchange_strong(&urgent, &none, work)) return false;
  ring();
  return true;
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
