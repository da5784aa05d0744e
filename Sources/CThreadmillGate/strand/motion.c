#ifdef __linux__
#include "ground/base.h"
#include "strand/motion.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/timers.h"
#include "strand/thread.h"
#include "threadmill_decisions.h"
#include "threadmill_sequence.h"
#include "threadmill_views.h"
#include <sys/syscall.h>

TM_GATE_CODE_BEGIN

/* Looks at the sources of a wake-up only if the other signs do not decide. */
tm_thread_signs tm_thread_signs_of(tm_thread *u, const tm_task *task) {
  tm_thread_signs signs = {.asleep = task->asleep,
                           .waits = tm_waits_for(u) != NULL,
                           .bounded = TM_GLIMPSE(u->holds.wait.bounded),
                           .working = u->strand.working != 0,
                           .librarys = u->who.is_library,
                           .main = u->who.is_main,
                           .in_futex = task->call == SYS_futex,
                           .without_source = true};
  bool awaits_end = TM_GLIMPSE(u->holds.wait.kind) == TM_THREAD; /* the kernel ends that wait */
  signs.shared = signs.waits && signs.in_futex && !awaits_end && !tm_task_waits_in_private(task);
  if (tm_state_of_thread(signs) == TM_THREAD_IDLE)
    signs.without_source = tm_task_waits_in_vain(task, !u->who.is_library);
  return signs;
}

void tm_switches_note(uint64_t switches[TM_SLOTS]) {
  tm_task task;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (tm_is_live(u))
      switches[u->who.index] = tm_task_read(u->ground.tid, &task) ? task.switches : ~0ull;
}

bool tm_can_anything_move(const uint64_t switches[TM_SLOTS], uint64_t patience) {
  tm_task task;
  if (tm_is_timer_due(patience)) return true;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (!tm_is_live(u)) continue;
    if (!tm_task_read(u->ground.tid, &task)) return true;
    if (tm_may_move(tm_thread_signs_of(u, &task), task.switches != switches[u->who.index]))
      return true;
  }
  return false;
}

TM_GATE_CODE_END
#endif
