#ifdef __linux__
#include "ground/base.h"
#include "steer/steer.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/now.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_steer.h"
#include "threadmill_views.h"
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The second phase of P. Joshi, C.-S. Park, K. Sen and M. Naik, "A Randomized Dynamic Program
 * Analysis Technique for Detecting Real Deadlocks", PLDI 2009. The paper's scheduler runs one
 * thread at a time, and releases a paused thread at random when no other can run. Here all other
 * threads run, so a time limit ends a pause. Locks are known by the place where they were taken, as
 * in the paper, and by their instance: held threads are released only when each of them wants the
 * lock that the next one has. */

/* After so many vain waits at an edge, no thread is held there any more: a loop that passes the
 * edge a thousand times would take for ever. */
enum { IN_VAIN = 4 };

typedef struct traveller {
  struct traveller *next;
  const tm_operation *wants;
  const tm_thread *thread;
  const void *has[TM_STEER_EDGES]; /* NULL: this is not its edge */
  tm_mode mode[TM_STEER_EDGES];    /* in which it has the object */
  atomic_uint released;
} traveller;

static tm_steer_plan plan; /* written before the process is watched */
static tm_spin meeting;    /* guards what follows */
static traveller *waiting; /* held threads, each on its own stack */
static uint32_t come[TM_STEER_EDGES], left_alone[TM_STEER_EDGES];

void tm_steer_begin(const tm_steer_plan *wanted) {
  plan = *wanted;
  tm_steering = true;
  syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/* Finds the edges of the cycle at which a thread is. */

static bool is_taken_at(const tm_hold *h, const tm_steer_edge *edge) {
  if (edge->outer_count == 0) return h->flags & TM_HOLD_BASE;
  if (h->site[0] != edge->outer[0]) return false;
  if (h->site[1] == 0 || edge->outer_count == 1) return true;
  for (uint32_t i = 0; i < edge->outer_count; i++)
    if (h->site[1] == edge->outer[i]) return true;
  return false;
}

/* Returns whether the stack begins as the edge says. An address that is repeated, by a function
 * that calls itself, counts once. */
static bool begins_with(const uintptr_t *stack, uint32_t count, const tm_steer_edge *edge) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < edge->inner_count; i++) {
    while (i > 0 && at < count && stack[at] == edge->inner[i - 1]) at++;
    if (at == count || stack[at++] != edge->inner[i]) return false;
  }
  return true;
}

static void has(traveller *one, const tm_thread *t, uint32_t e) {
  const tm_steer_edge *edge = &plan.edges[e];
  for (uint32_t i = t->holds.held_count; i-- > 0;) {
    if (!is_taken_at(&t->held.locks[i], edge)) continue;
    one->has[e] = t->held.locks[i].object;
    one->mode[e] = t->held.locks[i].mode;
    return;
  }
  /* The main thread's hold of the main queue is noted only when another thread waits for the
   * queue. */
  if (t->who.is_main && edge->outer_count == 0) one->has[e] = tm_main_queue;
}

static bool is_on_its_way(tm_thread *t, const tm_operation *op, traveller *one) {
  uintptr_t stack[TM_STACK];
  uint32_t count = 0;
  bool found = false;
  for (uint32_t e = 0; e < plan.edge_count; e++) {
    if (plan.edges[e].inner[0] != op->site[0]) continue;
    if (!count) count = tm_stack_take(t, op->frame, stack, TM_STACK);
    if (begins_with(stack, count, &plan.edges[e])) has(one, t, e);
    found |= one->has[e] != NULL;
  }
  return found;
}

/* Finds held threads for all edges of the cycle. Called with `meeting` held. */

typedef struct ring {
  traveller *at[TM_STEER_EDGES];
  uint32_t count;
} ring;

static bool waits_for(const traveller *one, const traveller *other, uint32_t edge) {
  bool excluded = one->wants->mode == TM_EXCLUSIVE || other->mode[edge] == TM_EXCLUSIVE;
  return excluded && one->wants->object == other->has[edge];
}

static bool is_in(const ring *r, const traveller *one) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->at[i]->thread == one->thread) return true;
  return false;
}

/* Adds threads to the ring, whose last one is at `edge`, until the ring closes at the edge
 * `first`. */
static bool close_ring(ring *r, uint32_t first, uint32_t edge) {
  traveller *last = r->at[r->count - 1];
  uint32_t next = (edge + 1) % plan.edge_count;
  if (r->count == plan.edge_count) return waits_for(last, r->at[0], first);
  for (traveller *one = waiting; one; one = one->next) {
    if (!one->has[next] || is_in(r, one) || !waits_for(last, one, next)) continue;
    r->at[r->count++] = one;
    if (close_ring(r, first, next)) return true;
    r->count--;
  }
  return false;
}

static bool is_complete(traveller *newcomer, ring *r) {
  for (uint32_t e = 0; e < plan.edge_count; e++) {
    *r = (ring){{newcomer}, 1};
    if (newcomer->has[e] && close_ring(r, e, e)) return true;
  }
  return false;
}

static void leave(traveller *one) {
  for (traveller **at = &waiting; *at; at = &(*at)->next) {
    if (*at != one) continue;
    *at = one->next;
    return;
  }
}

/* Releases the threads of a ring. Each takes the lock once more before it goes on, so its record
 * stays on its stack until then. */
static void let_go(const ring *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    leave(r->at[i]);
    atomic_store(&r->at[i]->released, 1);
    syscall(SYS_futex, &r->at[i]->released, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

/* Waiting. */

static bool is_to_wait(const traveller *one) {
  for (uint32_t e = 0; e < plan.edge_count; e++)
    if (one->has[e] && come[e]++ >= plan.edges[e].skipped && left_alone[e] < IN_VAIN) return true;
  return false;
}

static bool meet(traveller *one) {
  ring r;
  tm_spin_lock(&meeting);
  bool complete = is_complete(one, &r);
  if (complete) let_go(&r);
  bool wait = !complete && is_to_wait(one);
  if (wait) {
    one->next = waiting;
    waiting = one;
  }
  tm_spin_unlock(&meeting);
  return wait;
}

static void wait_for_others(traveller *one) {
  uint64_t end = tm_now() + (uint64_t)plan.milliseconds * TM_MILLISECOND, now;
  while (!atomic_load(&one->released) && (now = tm_now()) < end) {
    struct timespec rest = {(time_t)((end - now) / TM_SECOND), (long)((end - now) % TM_SECOND)};
    syscall(SYS_futex, &one->released, FUTEX_WAIT_PRIVATE, 0, &rest, NULL, 0);
  }
  tm_spin_lock(&meeting);
  if (!atomic_load(&one->released)) {
    leave(one);
    for (uint32_t e = 0; e < plan.edge_count; e++) left_alone[e] += one->has[e] != NULL;
  }
  tm_spin_unlock(&meeting);
}

TM_SLOW void tm_steer(tm_thread *t, const tm_operation *op) {
  if ((t->holds.held_count == 0 && !t->who.is_main) || tm_hold_find(t, op->object)) return;
  int saved = errno;
  traveller one = {.wants = op, .thread = t};
  if (is_on_its_way(t, op, &one) && meet(&one)) wait_for_others(&one);
  errno = saved;
}

TM_GATE_CODE_END
#endif
