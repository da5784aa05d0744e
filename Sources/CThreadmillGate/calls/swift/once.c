#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/fork_mark.h"
#include "ground/lock.h"
#include "ground/real.h"
#include <linux/futex.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

TM_EXPORT void swift_once(void *token, void (*work)(void *), void *context);

/* In a copy of a process, the runtime knows the main thread by its number in the other process. If
 * a second thread comes to an initialiser that the main thread runs, the kernel looks for a thread
 * of that number, and both threads go round for ever. So the second thread waits here. */
typedef struct initialiser {
  const void *token;
  long thread;
  struct initialiser *next;
} initialiser;
static struct {
  tm_spin lock;
  initialiser *first;
  _Atomic uint32_t ends; /* counts initialisers that have ended; a futex */
} running;

static const initialiser *find(const void *token) {
  const initialiser *one = running.first;
  while (one && one->token != token) one = one->next;
  return one;
}

/* Notes the initialiser as running, when no other thread runs it. */
static void enter(initialiser *here) {
  for (;;) {
    tm_spin_lock(&running.lock);
    const initialiser *other = find(here->token);
    bool is_free = !other || other->thread == here->thread;
    if (is_free) here->next = running.first, running.first = here;
    uint32_t ends = atomic_load(&running.ends);
    tm_spin_unlock(&running.lock);
    if (is_free) return;
    syscall(SYS_futex, &running.ends, FUTEX_WAIT_PRIVATE, ends, NULL, NULL, 0);
  }
}

static void leave(const initialiser *here) {
  tm_spin_lock(&running.lock);
  initialiser **at = &running.first;
  while (*at != here) at = &(*at)->next;
  *at = here->next;
  atomic_fetch_add(&running.ends, 1);
  tm_spin_unlock(&running.lock);
  syscall(SYS_futex, &running.ends, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

TM_SLOW static void initialise_in_copy(void *token, void (*work)(void *), void *context) {
  initialiser here = {.token = token, .thread = syscall(SYS_gettid)};
  enter(&here);
  TM_REAL(swift_once)(token, work, context);
  leave(&here);
}

TM_EXPORT void swift_once(void *token, void (*work)(void *), void *context) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)))
    return tm_control_initialise(token, work, context);
  if (TM_UNLIKELY(tm_is_watched_copy)) return initialise_in_copy(token, work, context);
  TM_REAL(swift_once)(token, work, context);
}

TM_GATE_CODE_END
#endif
