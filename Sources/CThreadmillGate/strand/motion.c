#ifdef __linux__
#include "ground/base.h"
#include "strand/motion.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/timers.h"
#include "strand/thread.h"
#include <sys/syscall.h>

TM_GATE_CODE_BEGIN

/* A library's own thread that has nothing of the user's to do. It may wake up now and then. */
static bool is_free(tm_thread *u) {
  return u->who.is_library && !u->strand.working && !atomic_load(&u->holds.wait.object);
}

/* A library's own thread is idle when it waits for others; so is the main thread in the loop that
 * waits for events. Code of the user's outside of a watched wait may go on at any time. */
tm_motion tm_motion_of(tm_thread *u, const tm_task *task) {
  if (!task->asleep) return TM_MOVING;
  if (atomic_load(&u->holds.wait.object)) return u->holds.wait.bounded ? TM_MOVING : TM_STUCK;
  if (u->strand.working || !(u->who.is_library || u->who.is_main)) return TM_MOVING;
  if (u->who.is_main && task->call == SYS_futex) return TM_MOVING;
  return tm_task_waits_in_vain(task, !u->who.is_library) ? TM_IDLE : TM_MOVING;
}

void tm_switches_note(uint64_t switches[TM_SLOTS]) {
  tm_task task;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->who.next))
    if (atomic_load(&u->who.live))
      switches[u->strand.slot] = tm_task_read(u->ground.tid, &task) ? task.switches : ~0ull;
}

bool tm_can_anything_move(const uint64_t switches[TM_SLOTS], uint64_t patience) {
  tm_task task;
  if (tm_is_timer_due(patience)) return true;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->who.next)) {
    if (!atomic_load(&u->who.live)) continue;
    if (!tm_task_read(u->ground.tid, &task)) return true;
    if (!is_free(u) && task.switches != switches[u->strand.slot]) return true;
    if (tm_motion_of(u, &task) == TM_MOVING) return true;
  }
  return false;
}

TM_GATE_CODE_END
#endif
