#ifdef __linux__
#include "ground/base.h"
#include "process/hang.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/watchdog.h"
#include "object/hop.h"
#include "object/object.h"
#include "object/queue.h"
#include "observe/blocked.h"
#include "strand/hold.h"
#include "strand/motion.h"
#include "strand/scope.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A hang is reported only if all of this is true: for so many looks in a row, no thread began or
 * ended a wait or a hold; in the second half of that time, no thread was even woken; a thread, or a
 * task of a test that runs, waits for good; each thread waits, without a time limit, for another
 * thread, or is idle by design; and no timer, file or sleep is set up that could wake one. */

enum { TICKS_PER_SECOND = 1000 / TM_TICK_MS };

static uint64_t switches[TM_SLOTS]; /* of each thread, at the half of the time */

static uint64_t last_mark;

static uint32_t still; /* looks since something changed */

static bool waits_for_ever(tm_thread *u) {
  return atomic_load(&u->who.live) && atomic_load(&u->holds.wait.object) && !u->holds.wait.bounded;
}

/* Returns a mark of the progress of all threads together. */
static uint64_t mark(bool *somebody_waits) {
  uint64_t hash = 0;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->who.next)) {
    hash = tm_mix(hash, atomic_load(&u->holds.sequence));
    if (waits_for_ever(u)) *somebody_waits = true;
  }
  return hash;
}

static void draw_thread(tm_picture *p, tm_thread *u) {
  if (p->told.thread_count == TM_PICTURE_THREADS) {
    p->told.left_out++;
    return;
  }
  uint32_t i = p->told.thread_count++;
  p->threads[i] = u;
  tm_view_waiting(u, &p->rooms[i], &p->views[i]);
  p->views[i].stack = p->rooms[i].stack;
  if (atomic_load(&u->holds.wait.object)) {
    p->views[i].stack_count =
        tm_stack_of_waiting(u, u->holds.wait.frame, p->rooms[i].stack, TM_STACK);
    return;
  }
  tm_stack_ask(u);
  p->views[i].stack_count = u->code.taken_count;
  tm_copy(p->rooms[i].stack, u->code.taken_stack, u->code.taken_count * sizeof(uintptr_t));
}

static const tm_thread_view *waiter_for(const tm_picture *p, const void *object) {
  for (uint32_t i = 0; object && i < p->told.thread_count; i++)
    if (p->views[i].wanted.address == (uintptr_t)object) return &p->views[i];
  return NULL;
}

/* Returns the queue on the block's way to the root that one of the threads has, or NULL. */
static const tm_object_view *held_queue(const tm_picture *p, const tm_hop *hop) {
  tm_link links[TM_CHAIN];
  uint32_t count = tm_queue_chain(hop->queue, hop->barrier, links);
  for (uint32_t l = 0; l < count; l++)
    for (uint32_t i = 0; i < p->told.thread_count; i++)
      for (uint32_t h = 0; h < p->views[i].held_count; h++)
        if (p->views[i].held[h].address == (uintptr_t)links[l].queue) return &p->views[i].held[h];
  return NULL;
}

/* Adds a waiting block to the picture if a stuck thread keeps it from running, or waits for its
 * group. */
static void draw_hop(const tm_hop *hop, void *context) {
  tm_picture *p = context;
  if (!hop->queue) return;
  const tm_object_view *queue = held_queue(p, hop);
  const tm_thread_view *waiter = waiter_for(p, hop->leaves);
  if (!queue && !waiter) return;
  tm_object_view root;
  if (!queue) tm_object_describe(hop->queue, TM_CONCURRENT_QUEUE, TM_SHARED, &root);
  tm_fact *fact = tm_picture_fact(p, TM_FACT_QUEUED, queue ? queue : &root, hop->site);
  if (fact && waiter) fact->group = waiter->wanted;
}

static void want_main_queue(const tm_hop *hop, void *context) {
  if (hop->queue == tm_main_queue) ((tm_picture *)context)->main_wanted = true;
}

/* Adds the main queue to the view of the main thread, which has it without a call that the gate
 * sees. */
static void give_main_queue(tm_picture *p) {
  tm_hops_each(want_main_queue, p);
  for (uint32_t i = 0; p->main_wanted && i < p->told.thread_count; i++) {
    tm_thread_view *view = &p->views[i];
    if (!p->threads[i]->who.is_main || tm_hold_find(p->threads[i], tm_main_queue)) continue;
    tm_object_describe(tm_main_queue, TM_SERIAL_QUEUE, TM_EXCLUSIVE,
                       &p->rooms[i].held[view->held_count++]);
  }
}

static void draw_rest(tm_picture *p) {
  tm_views_complete(p->threads, p->rooms, p->views, p->told.thread_count);
  give_main_queue(p);
  tm_hops_each(draw_hop, p);
  tm_picture_operations(p);
  tm_picture_objects(p);
  tm_picture_continuations(p);
  p->told.threads = p->views;
  p->told.facts = p->facts;
}

static void tell(void *context) {
  tm_picture *p = context;
  p->is_hang = tm_listening.standstill(&p->told);
}

static void report(void) {
  tm_picture *p = tm_map(sizeof(tm_picture));
  if (!p) return;
  p->told.seconds = tm_settings_now.hang_seconds;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->who.next))
    if (waits_for_ever(u)) draw_thread(p, u);
  draw_rest(p);
  bool waits = false;
  if (mark(&waits) == last_mark) tm_watchdog_call(tell, p);
  bool is_hang = p->is_hang;
  tm_unmap(p, sizeof(tm_picture));
  if (is_hang && tm_is_active()) tm_listening.give_up(true);
}

void tm_hang_show(void) {
  tm_picture *p = tm_map(sizeof(tm_picture));
  if (!p) return;
  tm_task task;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->who.next))
    if (atomic_load(&u->who.live) && tm_task_read(u->ground.tid, &task) &&
        tm_state_of_thread(tm_thread_signs_of(u, &task)) != TM_THREAD_IDLE)
      draw_thread(p, u);
  draw_rest(p);
  tm_watchdog_call(tell, p);
  tm_unmap(p, sizeof(tm_picture));
  tm_listening.give_up(false);
}

static void look(tm_check *check) {
  (void)check;
  bool somebody_waits = false;
  uint64_t now = mark(&somebody_waits);
  uint32_t needed = tm_settings_now.hang_seconds * TICKS_PER_SECOND;
  bool may_hang = somebody_waits || tm_is_test_running();
  still = may_hang && now == last_mark ? still + 1 : 0;
  last_mark = now;
  if (still == needed / 2) tm_switches_note(switches);
  if (still < needed) return;
  still = 0;
  if (!tm_is_kept_from_end(somebody_waits, !somebody_waits && tm_test_awaits())) return;
  if (!tm_can_anything_move(switches, (uint64_t)tm_settings_now.hang_seconds * 500000000)) report();
}

void tm_end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

static tm_check check = {.look = look};

static void begin(void) {
  if (tm_settings_now.hang_seconds) tm_watchdog_arm(&check);
}

void tm_test_began(uint32_t scope) {
  tm_scope_open(scope);
  begin();
}

void tm_test_ended(uint32_t scope) {
  tm_scope_close(scope);
  if (tm_settings_now.hang_seconds) tm_watchdog_disarm(&check);
}

void tm_hang_prepare(void) {
  if (tm_settings_now.hang_always) begin();
}

TM_GATE_CODE_END
#endif
