#include "base.h"
#include "view.h"
#include <string.h>

TM_GATE_CODE_BEGIN

tm_kind tm_kind_of(const void *object, tm_kind kind, bool runtime) {
  if (kind != TM_MUTEX) return kind;
  bool recursive = (((const pthread_mutex_t *)object)->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
  if (runtime) return TM_TASK_STATUS_LOCK;
  return recursive ? TM_RECURSIVE_MUTEX : TM_MUTEX;
}

static void describe_hold(const tm_hold *h, tm_object_view *view) {
  tm_object_describe(h->object, tm_kind_of(h->object, h->kind, false), h->mode, view);
  view->site[0] = h->site[0];
  view->site[1] = h->site[1];
}

static void describe_holds(const tm_thread *t, tm_view_room *room, tm_thread_view *view) {
  uint32_t count = t->held_count < TM_HOLDS ? t->held_count : TM_HOLDS, kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    describe_hold(&t->held[i], &room->held[kept]);
    if (room->held[kept].id) kept++;
  }
  view->held = room->held;
  view->held_count = kept;
}

static void identify(const tm_thread *t, tm_thread_view *view) {
  memset(view, 0, sizeof *view);
  view->thread = t->number;
  view->strand = t->strand;
  view->slot = t->slot;
  view->time = t->now;
  view->scope = t->scope;
  if (t->handle) pthread_getname_np(t->handle, view->name, sizeof view->name);
}

void tm_view_self(tm_thread *t, void *frame, const tm_operation *wanted, tm_view_room *room, tm_thread_view *view) {
  identify(t, view);
  view->scope = tm_current_scope();
  describe_holds(t, room, view);
  if (wanted) {
    tm_object_describe(wanted->object, wanted->kind, wanted->mode, &view->wanted);
    view->wanted.site[0] = wanted->site[0];
    view->wanted.site[1] = wanted->site[1];
  }
  view->knowledge = t->clock ? t->clock->times : NULL;
  view->knowledge_count = t->clock ? t->clock->count : 0;
  view->stack = room->stack;
  view->stack_count = tm_stack_take(t, frame, room->stack, TM_STACK);
}

void tm_view_other(tm_thread *t, tm_view_room *room, tm_thread_view *view) {
  identify(t, view);
  describe_holds(t, room, view);
  const void *object = atomic_load(&t->wait.object);
  if (!object || t->wait.timed) return;
  if (t->wait.kind == TM_THREAD) {
    tm_thread *joined = tm_thread_by_handle((pthread_t)object);
    view->wanted = (tm_object_view){.id = joined ? joined->number : 0, .kind = TM_THREAD};
  } else {
    tm_object_describe(object, tm_kind_of(object, t->wait.kind, false), t->wait.mode, &view->wanted);
  }
  view->wanted.site[0] = t->wait.site[0];
  view->wanted.site[1] = t->wait.site[1];
}

TM_GATE_CODE_END
