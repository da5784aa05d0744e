#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "ground/thread.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A flow that has the turn and makes no step holds up all other flows: it loops without a call, or
 * waits for an event that is not under control. After a while the explorer gives it up, but the
 * flow may begin a step at that very moment. So each side first says what it does, and then looks
 * at the other side: the flow sets `waits`, the explorer sets ASKED. If both did, the flow
 * stays. */

enum { NOT, ASKED, LEAVING, GIVEN_UP };

/* A flow that gives the turn away sets LEAVING before that, and is NOT again when it gets the turn
 * back. So the turn is either taken away from a seat, or given on by it, but never both. */

bool tm_control_leaves_turn(tm_seat *s) {
  for (;;) {
    unsigned state = NOT;
    if (atomic_compare_exchange_strong(&s->given_up, &state, LEAVING)) return true;
    if (state != ASKED) return state == LEAVING;
    syscall(SYS_sched_yield);
  }
}

void tm_control_gets_turn(tm_seat *s) {
  unsigned state = LEAVING;
  atomic_compare_exchange_strong(&s->given_up, &state, NOT);
}

bool tm_control_is_given_up(const tm_seat *s) { return atomic_load(&s->given_up) == GIVEN_UP; }

/* `tm_seat_stand_still` makes the usual check in place. */
bool tm_control_has_turn(tm_seat *s) {
  unsigned state;
  while ((state = atomic_load(&s->given_up)) == ASKED) syscall(SYS_sched_yield);
  return state != GIVEN_UP;
}

/* Asks the thread several times, because on a busy machine it may be slow to answer. If the thread
 * has just entered a function, or is about to leave it, the stack lacks the caller's frame; the
 * longest of several stacks has it. */
uint32_t tm_control_place_of(tm_thread *t) {
  enum { TIMES = 10, WANTED = 5 };
  uint32_t place = 0, most = 0;
  for (int i = 0, taken = 0; i < TIMES && taken < WANTED; i++) {
    tm_stack_ask(t);
    taken += t->code.taken_count > 0;
    if (t->code.taken_count <= most) continue;
    most = t->code.taken_count;
    place = tm_stack_keep(t->code.taken_stack, most);
  }
  return place;
}

bool tm_control_give_up(tm_seat *s, const cpu_set_t *may_run_on) {
  unsigned state = NOT;
  if (!atomic_compare_exchange_strong(&s->given_up, &state, ASKED)) return false;
  atomic_thread_fence(memory_order_seq_cst);
  if (s->waits || !s->thread) {
    atomic_store(&s->given_up, NOT);
    return false;
  }
  atomic_store(&s->given_up, GIVEN_UP);
  s->waits = true;
  /* The thread still runs, and must not slow down the flows that come after it. */
  int tid = s->thread->ground.tid;
  enum { LAST = 19 };
  syscall(SYS_sched_setaffinity, tid, sizeof *may_run_on, may_run_on);
  syscall(SYS_setpriority, PRIO_PROCESS, tid, LAST);
  return true;
}

bool tm_control_take_away(tm_seat *s) {
  unsigned state = NOT;
  return atomic_compare_exchange_strong(&s->given_up, &state, GIVEN_UP);
}

TM_GATE_CODE_END
#endif
