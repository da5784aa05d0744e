#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/queue.h"
#include "strand/hold.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_annotations.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Checks that a value stays with its queue or its actor. A check accuses only a thread that is
 * certainly elsewhere; each single sign that the thread is in the right place is enough to acquit
 * it. */

/* The contents of a `tm_confined`. It does not move: its address stands for what is confined. */
typedef struct confinement {
  const void *place; /* the queue, or the identity of the actor's executor; NULL: not checked */
  tm_kind kind;      /* the place's */
  uint32_t name;     /* the place's, as a kept text; for an actor */
  uint32_t thread;   /* the thread that confined it */
} confinement;
_Static_assert(sizeof(confinement) <= sizeof(tm_confined), "the size is part of the ABI");

static tm_thread *watched_thread(void) {
  if (!tm_is_active()) return NULL;
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  return t && !t->ground.inside ? t : NULL;
}

static void confine(tm_thread *t, confinement *c, const char *name, void *frame) {
  c->thread = t->who.number;
  tm_object_born(t, c, TM_CONFINED, (int32_t)tm_text_keep(name), frame);
}

/* An object cannot be confined to a global queue: all work on a global queue may run at the same
 * time. */
static bool confine_to_queue(tm_confined *record, const char *name, const void *queue) {
  tm_link links[TM_CHAIN];
  tm_thread *t = watched_thread();
  confinement *c = (confinement *)record;
  *c = (confinement){0};
  if (!t || !tm_queue_chain(queue, false, links)) return false;
  c->place = queue;
  c->kind = links[0].kind;
  confine(t, c, name, __builtin_frame_address(0));
  return true;
}

static bool confine_to_actor(tm_confined *record, const char *name, const void *executor,
                             const char *actor) {
  tm_thread *t = watched_thread();
  confinement *c = (confinement *)record;
  *c = (confinement){0};
  if (!t || !executor) return false;
  c->place = executor;
  c->kind = TM_ACTOR;
  c->name = tm_text_keep(actor);
  confine(t, c, name, __builtin_frame_address(0));
  return true;
}

static bool runs_below(const void *queue) {
  tm_link links[TM_CHAIN];
  uint32_t count = tm_queue_chain(tm_current_queue(), false, links);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].queue == queue) return true;
  return false;
}

/* A concurrent queue names no owner, and the gate does not see the outer queues of nested calls of
 * `sync`. So a thread that is inside any queue but the main one is not accused. */
static bool may_be_further_out(tm_thread *t) {
  tm_link links[TM_CHAIN];
  if (tm_queue_chain(tm_current_queue(), false, links) && links[0].queue != tm_main_queue)
    return true;
  for (uint32_t i = 0; i < t->holds.held_count; i++) {
    bool queue =
        t->held.locks[i].kind == TM_SERIAL_QUEUE || t->held.locks[i].kind == TM_CONCURRENT_QUEUE;
    if (queue && t->held.locks[i].object != tm_main_queue) return true;
  }
  return false;
}

static bool is_in_queue(tm_thread *t, const confinement *c) {
  tm_queue_signs signs = {.serial = c->kind == TM_SERIAL_QUEUE,
                          .owned = tm_queue_is_owned(c->place, t->ground.tid),
                          .main_here = c->place == tm_main_queue && t->who.is_main};
  if (tm_may_be_in_queue(signs)) return true;
  signs.held = tm_hold_find(t, c->place) != NULL;
  signs.runs_below = !signs.held && runs_below(c->place);
  if (tm_may_be_in_queue(signs)) return true;
  if (signs.serial) signs.owner_unknown = !tm_queue_owner_known();
  else signs.further_out = may_be_further_out(t);
  return tm_may_be_in_queue(signs);
}

static bool is_in_place(tm_thread *t, const confinement *c) {
  return c->kind == TM_ACTOR ? tm_swift_executor() == c->place : is_in_queue(t, c);
}

static TM_SLOW void tell_broken(tm_thread *t, const confinement *c, void *frame) {
  tm_happening happening = {.kind = TM_CONFINEMENT_BROKEN,
                            .confinement_broken = {.confiner = c->thread}};
  tm_confinement_broken *broken = &happening.confinement_broken;
  tm_object_describe(c, TM_CONFINED, TM_EXCLUSIVE, &broken->object);
  if (c->kind != TM_ACTOR) return tm_tell(t, frame, &happening, &broken->place, c->place, c->kind);
  broken->place = (tm_object_view){.kind = TM_ACTOR, .label = tm_text_kept(c->name)};
  tm_tell_all(t, frame, &happening);
}

static void check_confined(const tm_confined *record) {
  const confinement *c = (const confinement *)record;
  tm_thread *t = c->place ? watched_thread() : NULL;
  if (t && TM_UNLIKELY(!is_in_place(t, c))) tell_broken(t, c, __builtin_frame_address(0));
}

static void end_confined(tm_confined *record) {
  const confinement *c = (const confinement *)record;
  if (!c->place || !tm_is_active()) return;
  tm_thread *t = watched_thread();
  if (t) tm_object_died(t, c);
  else tm_object_forget(c);
}

TM_EXPORT const tm_annotations threadmill_annotations_1 = {
    .is_active = tm_is_active,
    .confine_to_queue = confine_to_queue,
    .confine_to_actor = confine_to_actor,
    .check = check_confined,
    .end = end_confined,
};

TM_GATE_CODE_END
#endif
