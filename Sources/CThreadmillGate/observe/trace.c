#ifdef __linux__
#include "ground/base.h"
#include "observe/trace.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "observe/profile.h"
#include "strand/clock.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

enum { EVENTS = 1 << 15 };

typedef struct event {
  atomic_ullong turn; /* 0: never written, or being written */
  uint64_t began, ended, flow;
  uint32_t thread, what, place;
  tm_traced_kind kind;
} event;

static event *_Atomic events;
static atomic_ullong turns;
static tm_spin making_ring;

static event *trace_ring(void) {
  event *found = atomic_load_explicit(&events, memory_order_acquire);
  if (found) return found;
  tm_spin_lock(&making_ring);
  found = atomic_load(&events);
  if (!found) atomic_store(&events, found = tm_map(EVENTS * sizeof(event)));
  tm_spin_unlock(&making_ring);
  return found;
}

static void append(const event *happened) {
  event *all = trace_ring();
  uint64_t turn = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  if (!all || turn >= EVENTS) tm_count_one(TM_TRACE_DROPPED);
  if (!all) return;
  event *e = &all[turn % EVENTS];
  atomic_store_explicit(&e->turn, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  e->began = happened->began, e->ended = happened->ended, e->flow = happened->flow;
  e->thread = happened->thread, e->what = happened->what, e->place = happened->place;
  e->kind = happened->kind;
  atomic_store_explicit(&e->turn, turn + 1, memory_order_release);
}

/* The number of a flow: slot and time of a moment, which no other moment of the process has. */
static uint64_t flow_of(tm_stamp from) { return (uint64_t)from.slot << 32 | from.time; }

void tm_trace_lock(const tm_thread *t, tm_traced_kind kind, uint32_t lock_class, uint64_t began,
                   uint64_t ended) {
  const event e = {
      .thread = t->who.number, .kind = kind, .what = lock_class, .began = began, .ended = ended};
  append(&e);
}

void tm_trace_submitted(const tm_thread *t, tm_stamp from) {
  uint64_t now = tm_now();
  const event e = {.thread = t->who.number,
                   .kind = TM_TRACED_SUBMISSION,
                   .began = now,
                   .ended = now,
                   .flow = flow_of(from)};
  append(&e);
}

tm_trace_run tm_trace_run_begin(tm_thread *t, tm_stamp from) {
  tm_trace_run run = {t->observe.run_began, t->observe.run_flow};
  t->observe.run_flow = flow_of(from);
  t->observe.run_began = tm_now();
  return run;
}

/* Returns the label of the queue whose work this thread runs, as a kept text; 0 if there is
 * none. */
static uint32_t label_of(const tm_thread *t) {
  const void *queue = t->strand.origin.runs.queue;
  const char *label = queue == tm_main_queue ? "main" : queue ? tm_queue_label(queue) : NULL;
  return label && *label ? tm_text_keep(label) : 0;
}

void tm_trace_run_end(tm_thread *t, tm_trace_run run, bool job, const uintptr_t site[TM_SITE]) {
  uint32_t frames = 0;
  while (frames < TM_SITE && site[frames]) frames++;
  const event e = {.thread = t->who.number,
                   .kind = job ? TM_TRACED_JOB : TM_TRACED_BLOCK,
                   .what = job ? 0 : label_of(t),
                   .place = tm_stack_keep(site, frames),
                   .began = t->observe.run_began,
                   .ended = tm_now(),
                   .flow = t->observe.run_flow};
  t->observe.run_began = run.outer_began, t->observe.run_flow = run.outer_flow;
  append(&e);
}

/* For the report. */

static void show_event(const event *e, void (*visit)(const tm_traced *, void *), void *context) {
  bool runs = e->kind == TM_TRACED_BLOCK || e->kind == TM_TRACED_JOB;
  tm_traced shown = {.kind = e->kind,
                     .thread = e->thread,
                     .began = e->began,
                     .ended = e->ended,
                     .flow = e->flow,
                     .lock_class = runs ? 0 : e->what};
  if (runs && e->what) shown.label = tm_text_kept(e->what);
  if (runs) shown.place.addresses = tm_stack_kept(e->place, &shown.place.count);
  visit(&shown, context);
}

/* Returns whether the hold has a mark. Work inside queues has none: it is shown as a block. */
static bool has_mark(const tm_hold *h) {
  uint8_t kind = TM_GLIMPSE(h->kind);
  return TM_GLIMPSE(h->mark) && kind != TM_SERIAL_QUEUE && kind != TM_CONCURRENT_QUEUE &&
         kind != TM_TASK_STATUS_LOCK && !(TM_GLIMPSE(h->flags) & TM_HOLD_BASE);
}

/* Shows the waits and holds that a thread is in the middle of, as far as another thread can see
 * them. */
static void show_open(tm_thread *t, uint64_t now, void (*visit)(const tm_traced *, void *),
                      void *context) {
  tm_traced open = {.thread = t->who.number, .ended = now, .open = true};
  uint32_t count = tm_holds_shared(t);
  if (t->observe.run_began) {
    open.kind = t->strand.origin.runs.job ? TM_TRACED_JOB : TM_TRACED_BLOCK,
    open.began = t->observe.run_began;
    uint32_t label = open.kind == TM_TRACED_BLOCK ? label_of(t) : 0;
    open.label = label ? tm_text_kept(label) : NULL;
    open.flow = t->observe.run_flow;
    visit(&open, context);
    open.label = NULL, open.flow = 0;
  }
  open.kind = TM_TRACED_HOLD;
  for (uint32_t i = 0; i < count; i++) {
    if (!has_mark(&t->held.locks[i])) continue;
    open.began = tm_profile_since(TM_GLIMPSE(t->held.locks[i].mark), now, &open.lock_class);
    visit(&open, context);
  }
  open.kind = TM_TRACED_WAIT;
  open.began = t->observe.wait_began, open.lock_class = t->observe.wait_class;
  if (tm_waits_for(t) && open.began) visit(&open, context);
}

void tm_trace_each(void (*visit)(const tm_traced *, void *context), void *context) {
  event *all = atomic_load_explicit(&events, memory_order_acquire);
  uint64_t end = atomic_load(&turns), now = tm_now();
  for (uint64_t turn = end > EVENTS ? end - EVENTS : 0; all && turn < end; turn++) {
    event *e = &all[turn % EVENTS];
    if (atomic_load_explicit(&e->turn, memory_order_acquire) == turn + 1)
      show_event(e, visit, context);
  }
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    if (tm_is_live(t)) show_open(t, now, visit, context);
}

uint64_t tm_trace_now(void) { return tm_now(); }

TM_GATE_CODE_END
#endif
