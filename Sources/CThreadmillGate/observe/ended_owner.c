#ifdef __linux__
#include "ground/base.h"
#include "observe/ended_owner.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/watchdog.h"
#include "object/left.h"
#include "observe/lock_misuse.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "tell/ended_owner.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* A wait for such a lock is told if, in two looks in a row, the thread is in the same wait, the
 * owner is over, and the lock still names that owner. A mutex that a third thread soon unlocks, as
 * if it were a semaphore, is none. A wait that begins before its owner's end, and one that begins
 * after it, are found alike. */

static void examine_wait(tm_thread *u) {
  tm_stranded stranded;
  if (!tm_is_stranded(u, &stranded) || u->ground.explored) return;
  bool stays = u->observe.left_since == stranded.sequence;
  u->observe.left_since = stranded.sequence;
  if (!stays || stranded.left.told || !tm_task_has_ended(stranded.left.tid) ||
      !tm_left_is_owned(&stranded.left))
    return;
  tm_left_told(&stranded.left); /* one finding for each lock, however many threads wait for it */
  tm_watchdog_call(tm_tell_stranded, &stranded);
}

static void look_at_waits(tm_check *check) {
  (void)check;
  if (atomic_load(&tm_left_count) == 0) return;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) examine_wait(u);
}

static tm_check owner_check = {.look = look_at_waits};

void tm_ends_with_locks(tm_thread *t) {
  static atomic_bool armed;
  bool new = false;
  for (uint32_t i = 0; i < t->holds.held_count; i++) {
    if (!tm_left_note(t, &t->held.locks[i])) continue;
    tm_ends_with(t, &t->held.locks[i]);
    new = true;
  }
  if (new && !t->ground.explored && !atomic_exchange(&armed, true)) tm_watchdog_arm(&owner_check);
}

TM_GATE_CODE_END
#endif
