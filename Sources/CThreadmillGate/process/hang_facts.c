#ifdef __linux__
#include "ground/base.h"
#include "calls/swift/continuation.h"
#include "code/stack.h"
#include "object/group.h"
#include "object/object.h"
#include "object/semaphore.h"
#include "process/picture.h"
#include "strand/scope.h"
#include "strand/steps.h"
#include "strand/suspended.h"
#include "strand/tasks.h"
#include "tell/suspended.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Collects facts about the objects that stuck threads wait for. */

bool tm_is_told(const tm_picture *p, const tm_object_view *object, tm_fact_kind kind) {
  for (uint32_t i = 0; i < p->told.fact_count; i++)
    if (p->facts[i].object.id == object->id && p->facts[i].kind == kind) return true;
  return false;
}

tm_fact *tm_picture_fact(tm_picture *p, tm_fact_kind kind, const tm_object_view *object,
                         const uintptr_t site[TM_SITE]) {
  if (p->told.fact_count == TM_FACTS) {
    p->told.left_out++;
    return NULL;
  }
  uint32_t index = p->told.fact_count++;
  tm_fact *fact = &p->facts[index];
  tm_clear(fact, sizeof *fact);
  fact->kind = kind;
  fact->object = *object;
  if (!site) return fact;
  tm_site_copy(p->sites[index], site);
  fact->place = (tm_stack_view){p->sites[index], 0};
  while (fact->place.count < TM_SITE && site[fact->place.count]) fact->place.count++;
  return fact;
}

static void draw_steps(tm_picture *p, tm_fact_kind kind, const tm_object_view *object,
                       const tm_step *steps, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    tm_fact *fact = tm_picture_fact(p, kind, object, steps[i].site);
    if (fact) fact->place.thread = steps[i].thread;
  }
}

static void draw_group(tm_picture *p, const tm_object_view *group) {
  tm_group_state state;
  if (tm_is_told(p, group, TM_FACT_ENTERED) || !tm_group_ask((const void *)group->address, &state))
    return;
  draw_steps(p, TM_FACT_ENTERED, group, state.enters, state.enter_count);
}

static void draw_semaphore(tm_picture *p, const tm_object_view *semaphore) {
  tm_semaphore_state state;
  if (tm_is_told(p, semaphore, TM_FACT_VALUE) ||
      !tm_semaphore_ask((const void *)semaphore->address, &state) || !state.known_value)
    return;
  tm_fact *fact = tm_picture_fact(p, TM_FACT_VALUE, semaphore, NULL);
  if (fact) fact->initial = state.initial;
  draw_steps(p, TM_FACT_SIGNALLED, semaphore, state.signals, state.signal_count ? 1 : 0);
  if (state.initial > 0) draw_steps(p, TM_FACT_PASSED, semaphore, state.waits, state.wait_count);
}

void tm_picture_objects(tm_picture *p) {
  for (uint32_t i = 0; i < p->told.thread_count; i++) {
    const tm_object_view *wanted = &p->views[i].wanted;
    if (!wanted->id) continue;
    if (wanted->kind == TM_GROUP) draw_group(p, wanted);
    if (wanted->kind == TM_SEMAPHORE) draw_semaphore(p, wanted);
  }
}

static void draw_continuation(const tm_unresumed *found, void *context) {
  tm_picture *p = context;
  tm_suspended_view *view = tm_suspended_find(&p->tasks, found->task);
  if (!view) view = tm_suspended_add(&p->tasks, found->task, found->stack, found->count);
  if (!view || view->awaited != TM_AWAITS_CONTINUATION) return;
  view->users = true;
  if (!view->scope && tm_is_scope_open(found->scope)) view->scope = found->scope;
}

void tm_picture_tasks(tm_picture *p) {
  tm_suspended_draw(&p->tasks, 0);
  tm_continuations_each(draw_continuation, p);
  p->told.tasks = p->tasks.tasks;
  p->told.task_count = p->tasks.count;
  p->told.left_out += p->tasks.left_out;
}

static void look_for_test(const tm_unresumed *found, void *context) {
  if (tm_is_scope_open(found->scope)) *(bool *)context = true;
}

static void note_any(const tm_unresumed *found, void *context) {
  (void)found;
  *(bool *)context = true;
}

bool tm_task_awaits(void) {
  bool awaits = false;
  tm_continuations_each(note_any, &awaits);
  return awaits;
}

static void look_at_test(const tm_known_task *k, void *context) {
  tm_task_wait wait;
  bool *awaits = context;
  if (*awaits || k->run || !tm_is_scope_open(k->scope)) return;
  if (!k->root && !tm_is_process_scope(k->scope)) return;
  *awaits = tm_task_is_suspended(k->task, k->number, &wait);
}

bool tm_test_awaits(void) {
  bool awaits = false;
  tm_continuations_each(look_for_test, &awaits);
  tm_tasks_each(look_at_test, &awaits);
  return awaits;
}

TM_GATE_CODE_END
#endif
