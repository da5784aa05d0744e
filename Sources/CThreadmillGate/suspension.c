#ifdef __linux__
#include "suspension.h"
#include "workers.h"
#include "base.h"
#include "dispatch.h"
#include "layout.h"
#include "object.h"
#include "operation.h"
#include "queue.h"
#include "threadmill_decisions.h"
#include "view.h"

TM_GATE_CODE_BEGIN

/* Whether an object is suspended stands in the object itself, but libdispatch suspends for purposes
 * of its own, too. So the user's calls are counted as well, and a release is called wrong only if
 * both say so. */

static tm_kind kind_of(const void *lane, tm_class class) {
  tm_link links[TM_CHAIN];
  if (class == TM_CLASS_SOURCE) return TM_SOURCE;
  return tm_queue_chain(lane, false, links) ? links[0].kind : TM_CONCURRENT_QUEUE;
}

/* The record with the entry locked, or NULL and nothing locked. */
static tm_history *record_of(const void *lane, tm_kind kind) {
  tm_object *o = tm_object_have(lane, kind);
  if (!o) return NULL;
  if (!o->history) o->history = tm_pool_take(sizeof(tm_history));
  if (!o->history) tm_object_release(lane);
  return o->history;
}

void tm_suspension_begins(const void *lane, tm_kind kind) {
  if (!tm_is_suspended(lane)) return;
  tm_history *record = record_of(lane, kind);
  if (!record) return;
  record->suspension.inactive = true;
  tm_object_release(lane);
}

static void note(const tm_thread *t, const void *lane, tm_suspension_change what, uint32_t stack) {
  tm_class class = tm_class_of(lane);
  if (class != TM_CLASS_QUEUE && class != TM_CLASS_SOURCE) return;
  tm_history *record = record_of(lane, kind_of(lane, class));
  if (!record) return;
  record->suspension = tm_suspension_after(record->suspension, what, class == TM_CLASS_SOURCE);
  if (what == TM_SUSPENDS) {
    record->suspended = stack;
    record->suspender = t ? t->number : 0;
  }
  tm_object_release(lane);
}

#define TM_SUSPENSION(name, what)                                                                \
  tm_caller tm_who = TM_CALLER_USER;                                                             \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                            \
  uintptr_t stack[TM_STACK / 2];                                                                 \
  uint32_t kept = 0;                                                                             \
  if (t && what == TM_SUSPENDS)                                                                  \
    kept =                                                                                       \
        tm_stack_keep(stack, tm_stack_take(t, __builtin_frame_address(0), stack, TM_STACK / 2)); \
  if (object && tm_is_active() && !tm_is_librarys(t, tm_who)) note(t, object, what, kept);       \
  TM_REAL(name)(object)

TM_EXPORT void dispatch_suspend(dispatch_object_t object) {
  tm_workers_suspended();
  TM_SUSPENSION(dispatch_suspend, TM_SUSPENDS);
}
TM_EXPORT void dispatch_resume(dispatch_object_t object) {
  TM_SUSPENSION(dispatch_resume, TM_RESUMES);
}
TM_EXPORT void dispatch_activate(dispatch_object_t object) {
  TM_SUSPENSION(dispatch_activate, TM_ACTIVATES);
}

TM_EXPORT dispatch_object_t dispatch_source_create(const void *type, uintptr_t handle,
                                                   uintptr_t mask, dispatch_queue_t queue) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_object_t made = TM_REAL(dispatch_source_create)(type, handle, mask, queue);
  if (!t || !made) return made;
  tm_class_learn_source(made);
  tm_object_born(t, made, TM_SOURCE, 0, __builtin_frame_address(0));
  tm_suspension_begins(made, TM_SOURCE);
  return made;
}

void tm_suspended_ends(tm_thread *t, void *frame, const void *lane) {
  tm_object *o = tm_object_find(lane);
  if (!o) return;
  bool queue = o->kind == TM_SERIAL_QUEUE || o->kind == TM_CONCURRENT_QUEUE;
  tm_history *record = queue || o->kind == TM_SOURCE ? o->history : NULL;
  tm_kind kind = o->kind;
  tm_suspension now = record ? record->suspension : (tm_suspension){0};
  uint32_t where = now.count > 0 ? record->suspended : 0;
  uint32_t who = now.count > 0 ? record->suspender : 0;
  tm_object_release(lane);
  if (!tm_may_not_be_released(now)) return;
  tm_happening happening = {.kind = TM_SUSPENDED_RELEASED,
                            .suspended_released = {.never_activated = now.inactive}};
  tm_suspended_released *released = &happening.suspended_released;
  if (where) {
    released->suspended.addresses = tm_stack_kept(where, &released->suspended.count);
    released->suspended.thread = who;
  }
  tm_tell(t, frame, &happening, &released->object, lane, kind);
}

TM_GATE_CODE_END
#endif
