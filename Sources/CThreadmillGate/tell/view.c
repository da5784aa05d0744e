#ifdef __linux__
#include "ground/base.h"
#include "tell/view.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/runs.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/queue.h"
#include "strand/delivery.h"
#include "strand/hold.h"
#include "strand/job.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

static void note_hold(const tm_hold *h, tm_object_view *view) {
  const void *object = TM_GLIMPSE(h->object);
  tm_object_note(object, tm_kind_of(object, TM_GLIMPSE(h->kind)), TM_GLIMPSE(h->mode), view);
  for (int i = 0; i < TM_SITE; i++) view->site[i] = TM_GLIMPSE(h->site[i]);
}

static bool is_runtimes(const void *queue) {
  return queue != tm_main_queue && tm_object_is_marked(queue, TM_OBJECT_RUNTIMES);
}

/* The main thread's own code runs on the main queue. */
static uint32_t queues_around(tm_link links[TM_AROUND]) {
  const void *queue = tm_current_queue();
  if (queue != tm_main_queue) return tm_queue_chain(queue, false, links);
  links[0] = (tm_link){queue, TM_SERIAL_QUEUE, TM_EXCLUSIVE};
  return queue ? 1 : 0;
}

uint32_t tm_surroundings(tm_thread *t, const void *task, tm_link links[TM_AROUND]) {
  uint32_t kept = 0, count = queues_around(links);
  for (uint32_t i = 0; i < count; i++) {
    if (tm_hold_find(t, links[i].queue) || is_runtimes(links[i].queue)) continue;
    if (kept != i) links[kept] = links[i];
    kept++;
  }
  const void *actor = task ? tm_swift_executor() : NULL;
  if (actor) links[kept++] = (tm_link){actor, TM_ACTOR, TM_EXCLUSIVE};
  return kept;
}

static uint32_t note_surroundings(tm_thread *t, tm_view_room *room) {
  tm_link links[TM_AROUND];
  uint32_t count = tm_surroundings(t, tm_swift_task(), links);
  for (uint32_t i = 0; i < count; i++)
    tm_object_note(links[i].queue, links[i].kind, links[i].mode, &room->held[i]);
  return count;
}

static void note_holds(const tm_thread *t, uint32_t kept, tm_view_room *room,
                       tm_thread_view *view) {
  uint32_t count = tm_holds_shared(t);
  for (uint32_t i = 0; i < count; i++) {
    note_hold(&t->held.locks[i], &room->held[kept]);
    if (room->held[kept].id) kept++;
  }
  view->held = room->held;
  view->held_count = kept;
}

/* Returns whether a group is at the address. It may be another group by now, but an object of
 * another kind does not count. */
static bool is_group(const void *address) {
  tm_object *o = address ? tm_object_find(address) : NULL;
  if (!o) return false;
  bool group = o->kind == TM_GROUP;
  tm_object_release(address);
  return group;
}

/* Adds the queues on the way to the root. The queue that the runtime made for its jobs is left out,
 * because it means nothing to the user. */
static void describe_way(const void *queue, tm_runs_view *view) {
  tm_link links[TM_CHAIN];
  const void *end;
  uint32_t count = tm_queue_way(queue, links, &end);
  view->root = tm_root_quality(end);
  for (uint32_t i = 0; i < count && view->queue_count < TM_RUNS_QUEUES; i++) {
    bool runtimes = is_runtimes(links[i].queue);
    if (runtimes) view->pooled = true;
    else
      tm_object_note(links[i].queue, links[i].kind, links[i].mode,
                     &view->queues[view->queue_count++]);
  }
}

bool tm_runs_describe(const tm_runs *runs, const void *task, tm_runs_view *view) {
  tm_job_state state;
  tm_clear(view, sizeof *view);
  if (!runs->queue) return false;
  describe_way(runs->queue, view);
  if (is_group(runs->group)) tm_object_note(runs->group, TM_GROUP, TM_EXCLUSIVE, &view->group);
  view->job = runs->job != NULL;
  if (view->job && task && tm_job_ask(task, &state)) {
    view->task = state.task;
    view->priority = state.priority;
  }
  return true;
}

void tm_runs_declare(tm_runs_view *view) {
  for (uint32_t i = 0; i < view->queue_count; i++) tm_object_declare(&view->queues[i]);
  tm_object_declare(&view->group);
}

static void note_runs(const tm_thread *t, const void *task, tm_view_room *room,
                      tm_thread_view *view) {
  tm_runs runs = t->strand.origin.runs;
  if (tm_runs_describe(&runs, task, &room->runs)) view->runs = &room->runs;
}

static void declare(tm_thread_view *view, tm_view_room *room) {
  for (uint32_t i = 0; i < view->held_count; i++) tm_object_declare(&room->held[i]);
  if (view->runs) tm_runs_declare(&room->runs);
  tm_object_declare(&view->wanted);
}

/* Returns the task that a waiting thread noted before its wait began. */
static const void *task_of(tm_thread *t) {
  return t->strand.task_since == tm_look(t) ? t->strand.waiting_task : NULL;
}

static void name(const tm_thread *t, tm_thread_view *view) {
  if (t->who.handle) pthread_getname_np(t->who.handle, view->name, sizeof view->name);
  if (!tm_text_is(view->name, t->who.first_name)) return;
  if (t->who.is_main) tm_copy(view->name, "main", sizeof "main");
  else view->name[0] = 0;
}

static void identify(const tm_thread *t, tm_thread_view *view) {
  tm_clear(view, sizeof *view);
  view->thread = t->who.number;
  view->strand = t->strand.id;
  view->slot = t->strand.slot;
  view->time = t->strand.now;
  view->scope = t->strand.scope;
  view->quality = t->strand.origin.quality;
  tm_site_copy(view->submitted, t->strand.origin.submitted);
  name(t, view);
}

void tm_view_name(tm_thread_view *view) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    if (t->who.number == view->thread && tm_is_live(t)) name(t, view);
}

void tm_threads_each(void (*visit)(const tm_thread_view *, void *), void *context) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t)) {
    tm_thread_view view;
    if (!tm_is_live(t)) continue;
    identify(t, &view);
    visit(&view, context);
  }
}

void tm_view_note_self(tm_thread *t, void *frame, const tm_operation *wanted, tm_view_room *room,
                       tm_thread_view *view) {
  identify(t, view);
  view->scope = tm_current_scope();
  note_holds(t, note_surroundings(t, room), room, view);
  note_runs(t, tm_swift_task(), room, view);
  if (wanted) {
    tm_object_note(wanted->object, tm_kind_of(wanted->object, wanted->kind), wanted->mode,
                   &view->wanted);
    tm_site_copy(view->wanted.site, wanted->site);
  }
  const tm_clock *clock = tm_strand_clock(t);
  view->knowledge = clock ? clock->times : NULL;
  view->knowledge_count = clock ? clock->count : 0;
  view->stack = room->stack;
  view->stack_count = tm_stack_take(t, frame, room->stack, TM_STACK);
}

void tm_view_self(tm_thread *t, void *frame, const tm_operation *wanted, tm_view_room *room,
                  tm_thread_view *view) {
  tm_view_note_self(t, frame, wanted, room, view);
  declare(view, room);
}

static void describe_wanted(tm_thread *t, const void *object, tm_thread_view *view) {
  tm_kind kind = TM_GLIMPSE(t->holds.wait.kind);
  if (kind == TM_THREAD) {
    tm_thread *joined = tm_thread_by_handle((pthread_t)object);
    view->wanted = (tm_object_view){.id = joined ? joined->who.number : 0, .kind = TM_THREAD};
  } else {
    tm_object_describe(object, tm_kind_of(object, kind), TM_GLIMPSE(t->holds.wait.mode),
                       &view->wanted);
  }
}

void tm_view_waiting(tm_thread *t, tm_view_room *room, tm_thread_view *view) {
  identify(t, view);
  note_holds(t, 0, room, view);
  note_runs(t, task_of(t), room, view);
  declare(view, room);
  const void *object = tm_waits_for(t);
  if (object) describe_wanted(t, object, view);
}

void tm_view_other(tm_thread *t, tm_view_room *room, tm_thread_view *view) {
  identify(t, view);
  note_holds(t, 0, room, view);
  note_runs(t, task_of(t), room, view);
  declare(view, room);
  const void *object = tm_waits_for(t);
  if (object && !TM_GLIMPSE(t->holds.wait.timed)) describe_wanted(t, object, view);
}

tm_view_room tm_upcall_room;

static void tell_nested(void *view) { tm_listening.nested(view); }

void tm_tell_nested(tm_thread_view *view, tm_view_room *room) {
  declare(view, room);
  tm_call_up(tell_nested, view);
}

void tm_tell_past(tm_thread_view *view) { tm_call_up(tell_nested, view); }

typedef struct certain {
  const tm_thread_view *view;
  tm_certainty certainty;
  const tm_object_view *chain;
  uint32_t count;
} certain;

static void tell_certain(void *context) {
  const certain *c = context;
  tm_listening.certain(c->view, c->certainty, c->chain, c->count);
}

void tm_tell_certain(const tm_thread_view *view, tm_certainty certainty,
                     const tm_object_view *chain, uint32_t count) {
  certain c = {view, certainty, chain, count};
  tm_call_up(tell_certain, &c);
}

static void tell_happened(void *happening) { tm_listening.happened(happening); }

TM_SLOW void tm_tell(tm_thread *t, void *frame, tm_happening *happening, tm_object_view *view,
                     const void *object, tm_kind kind) {
  tm_thread_view thread;
  tm_quiet before = tm_upcall_begin(t);
  tm_view_self(t, frame, NULL, &tm_upcall_room, &thread);
  happening->thread = &thread;
  if (view) tm_object_describe(object, kind, TM_EXCLUSIVE, view);
  tm_call_up(tell_happened, happening);
  tm_upcall_end(t, before);
}

TM_GATE_CODE_END
#endif
