#ifdef __linux__
#include "ground/base.h"
#include "observe/dependencies.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/foundation.h"
#include "ground/limits.h"
#include "ground/swift_values.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/delivery.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The longest way that is followed; how often a new way is asked for after one was refuted. */
enum { LONGEST_WAY = 64, MOST_REFUTED = 16 };

tm_object *tm_operation_object(tm_thread *t, const void *operation) {
  tm_object *o = tm_object_have(operation, TM_OPERATION);
  if (!o || o->kind == TM_OPERATION) return o;
  tm_object_release(operation);
  tm_object_died(t, operation);
  return tm_object_have(operation, TM_OPERATION);
}

bool tm_operation_describe(tm_thread *t, const void *operation, tm_object_view *view,
                           tm_operation_name *name) {
  tm_object *o = tm_operation_object(t, operation);
  if (!o) return false;
  tm_object_release(operation);
  tm_enter_harness();
  tm_operation_label(operation, name->text, sizeof name->text);
  tm_leave_harness();
  tm_object_describe(operation, TM_OPERATION, TM_EXCLUSIVE, view);
  view->created = NULL; /* the entry keeps the place of first use, not of creation */
  view->created_count = 0;
  view->label = name->text;
  return true;
}

/* Telling Swift. */

typedef struct question {
  uint64_t from, to;
  tm_dependency *steps;
  uint32_t count;
} question;

typedef struct news {
  tm_dependency dependency;
  bool may_close;
} news;

static void tell_depends(void *context) {
  news *n = context;
  n->may_close = tm_listening.depends(&n->dependency);
}
static void tell_independent(void *context) {
  const question *q = context;
  tm_listening.independent(q->from, q->to);
}
static void ask_way(void *context) {
  question *q = context;
  q->count = tm_listening.way(q->from, q->to, q->steps, LONGEST_WAY);
}

static void go_up(tm_thread *t, void (*work)(void *), void *context) {
  tm_quiet before = tm_upcall_begin(t);
  tm_call_up(work, context);
  tm_upcall_end(t, before);
}

static uint64_t node_of(tm_thread *t, const void *operation) {
  tm_object *o = tm_operation_object(t, operation);
  if (!o) return 0;
  o->flags |= TM_OBJECT_DEPENDS;
  uint64_t id = o->id;
  tm_object_release(operation);
  return id;
}

/* Returns the identifier of an operation that takes part in dependencies, else 0. */
static uint64_t known_node(const void *operation) {
  tm_object *o = tm_object_find(operation);
  if (!o) return 0;
  uint64_t id = o->flags & TM_OBJECT_DEPENDS ? o->id : 0;
  tm_object_release(operation);
  return id;
}

void tm_operation_is_independent(tm_thread *t, const void *operation, const void *on) {
  question q = {known_node(operation), known_node(on), NULL, 0};
  if (q.from && q.to) go_up(t, tell_independent, &q);
}

/* A way that is confirmed: every operation on it but the last waits for the next one. The lists
 * keep these operations alive. */
typedef struct way {
  tm_dependency steps[LONGEST_WAY];
  const void *lists[LONGEST_WAY];
  uint32_t count;
} way;

static void release_lists(way *w) {
  for (uint32_t i = 0; i < w->count; i++) tm_array_release(w->lists[i]);
  w->count = 0;
}

/* Returns whether the operation has not begun, and will not before its dependencies are over. */
static bool is_kept_back(const void *operation) {
  return tm_is_kept_back(tm_operation_now(operation), tm_operation_seems_ready(operation),
                         tm_operation_cancelled(operation));
}

static bool contains(const void *list, const void *operation) {
  for (uint64_t i = 0; i < tm_array_count(list); i++)
    if (tm_array_element(list, i) == operation) return true;
  return false;
}

/* Each operation is alive because the list before it, or the caller, holds it. Returns the number
 * of the first step that is no longer true, or `count`. */
static uint32_t confirm(way *w, uint32_t count, const void *last) {
  for (w->count = 0; w->count < count;) {
    const void *operation = (const void *)w->steps[w->count].from_address;
    const void *next =
        w->count + 1 < count ? (const void *)w->steps[w->count + 1].from_address : last;
    if (!is_kept_back(operation)) return w->count;
    const void *list = w->lists[w->count] = tm_operation_dependencies(operation);
    if (!contains(list, next)) {
      tm_array_release(list);
      return w->count;
    }
    w->count++;
  }
  return count;
}

/* Finds a way from one living operation to another, on which each operation waits for the next.
 * Forgets steps that Foundation's lists no longer have. */
static bool find_way(tm_thread *t, const void *from, const void *to, way *w) {
  question q = {known_node(from), known_node(to), w->steps, 0};
  if (!q.from || !q.to) return false;
  for (int tries = 0; tries < MOST_REFUTED; tries++) {
    go_up(t, ask_way, &q);
    if (!q.count) return false;
    tm_enter_harness();
    uint32_t broken = w->steps[0].from_address == (uintptr_t)from ? confirm(w, q.count, to) : 0;
    if (broken < q.count) release_lists(w);
    tm_leave_harness();
    if (broken == q.count) return true;
    question gone = {w->steps[broken].from, w->steps[broken].to, NULL, 0};
    go_up(t, tell_independent, &gone);
  }
  return false;
}

static void add_to_cycle(tm_thread *t, tm_operations_in_cycle *cycle, const void *operation,
                         uint32_t place, tm_operation_name names[TM_OPERATIONS]) {
  if (cycle->count == TM_OPERATIONS) return;
  tm_dependent_operation *next = &cycle->operations[cycle->count];
  if (!tm_operation_describe(t, operation, &next->operation, &names[cycle->count])) return;
  next->told.addresses = tm_stack_kept(place, &next->told.count);
  cycle->count++;
}

TM_SLOW static void tell_cycle(tm_thread *t, const tm_dependency *closing, const void *operation,
                               way *w, void *frame) {
  tm_happening happening = {.kind = TM_OPERATIONS_IN_CYCLE,
                            .operations_in_cycle = {.length = w->count + 1}};
  tm_operations_in_cycle *cycle = &happening.operations_in_cycle;
  tm_operation_name names[TM_OPERATIONS];
  add_to_cycle(t, cycle, operation, closing->place, names);
  for (uint32_t i = 0; i < w->count; i++)
    add_to_cycle(t, cycle, (const void *)w->steps[i].from_address, w->steps[i].place, names);
  if (cycle->count) tm_tell_all(t, frame, &happening);
}

TM_SLOW static void look_for_cycle(tm_thread *t, const tm_dependency *closing,
                                   const void *operation, const void *on, void *frame) {
  way w;
  w.count = 0;
  if (operation != on && (!is_kept_back(operation) || !find_way(t, on, operation, &w))) return;
  tell_cycle(t, closing, operation, &w, frame);
  tm_enter_harness();
  release_lists(&w);
  tm_leave_harness();
}

void tm_operation_depends(tm_thread *t, const void *operation, const void *on, void *frame) {
  uintptr_t stack[TM_STACK / 2];
  news n = {.dependency = {.from = node_of(t, operation),
                           .to = node_of(t, on),
                           .from_address = (uintptr_t)operation,
                           .thread = t->who.number,
                           .scope = tm_current_scope()},
            .may_close = true};
  if (!n.dependency.from || !n.dependency.to) return;
  n.dependency.place = tm_stack_keep(stack, tm_stack_take(t, frame, stack, TM_STACK / 2));
  if (operation != on) go_up(t, tell_depends, &n);
  if (n.may_close) look_for_cycle(t, &n.dependency, operation, on, frame);
}

/* Waiting inside an operation. */

TM_SLOW static void tell_hindered(tm_thread *t, const void *awaited, const void *running,
                                  tm_operation_hindrance why, const way *w, void *frame) {
  tm_happening happening = {.kind = TM_OPERATION_AWAITED_INSIDE,
                            .operation_awaited_inside = {.hindrance = why}};
  tm_operation_awaited_inside *hindered = &happening.operation_awaited_inside;
  tm_operation_name first, last, names[TM_OPERATIONS - 2];
  if (!tm_operation_describe(t, awaited, &hindered->awaited, &first)) return;
  for (uint32_t i = 1; w && i < w->count && hindered->between_count < TM_OPERATIONS - 2; i++) {
    uint32_t next = hindered->between_count;
    if (tm_operation_describe(t, (const void *)w->steps[i].from_address, &hindered->between[next],
                              &names[next]))
      hindered->between_count++;
  }
  if (!running || running == awaited ||
      tm_operation_describe(t, running, &hindered->running, &last))
    tm_tell_all(t, frame, &happening);
}

static bool is_behind(const void *awaited, const void *running) {
  const void *queue = tm_operation_queue(running);
  return queue && tm_operation_queue(awaited) == queue && tm_operation_queue_is_serial(queue) &&
         tm_operation_now(awaited) <= TM_STATE_ENQUEUED;
}

static bool depends_on(tm_thread *t, const void *awaited, const void *running, void *frame) {
  way w;
  w.count = 0;
  if (!find_way(t, awaited, running, &w)) return false;
  tell_hindered(t, awaited, running, TM_HINDERED_BY_DEPENDENCY, &w, frame);
  tm_enter_harness();
  release_lists(&w);
  tm_leave_harness();
  return true;
}

void tm_operation_awaits(tm_thread *t, const void *awaited, void *frame) {
  for (const tm_running *r = t->observe.running; r; r = r->outer) {
    const void *running = r->operation;
    if (!tm_operation_finishes_itself(running)) continue;
    if (running == awaited)
      return tell_hindered(t, awaited, running, TM_HINDERED_ITSELF, NULL, frame);
    if (is_behind(awaited, running))
      return tell_hindered(t, awaited, running, TM_HINDERED_BY_QUEUE, NULL, frame);
    if (depends_on(t, awaited, running, frame)) return;
  }
  const void *queue = tm_operation_queue(awaited);
  if (t->who.is_main && queue && tm_operation_queue_is_main(queue) &&
      tm_operation_now(awaited) < TM_STATE_STARTING)
    tell_hindered(t, awaited, NULL, TM_HINDERED_BY_MAIN, NULL, frame);
}

TM_GATE_CODE_END
#endif
