#ifdef __linux__
#include "ground/base.h"
#include "tell/suspended.h"
#include "code/code_kind.h"
#include "code/stack.h"
#include "object/object.h"
#include "strand/job.h"
#include "strand/scope.h"
#include "strand/suspended.h"
#include "strand/tasks.h"

TM_GATE_CODE_BEGIN

/* Tests and their tasks are drawn first: there may be more tasks than room for them. */
typedef struct search {
  tm_suspended_picture *picture;
  uint32_t run;
  bool tests;
} search;

tm_suspended_view *tm_suspended_find(tm_suspended_picture *p, const void *task) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->tasks[i].address == task) return &p->tasks[i];
  return NULL;
}

static tm_suspended_view *next_view(tm_suspended_picture *p, const void *task, uint32_t number) {
  if (p->count == TM_SUSPENDED) {
    p->left_out++;
    return NULL;
  }
  tm_suspended_view *view = &p->tasks[p->count];
  tm_clear(view, sizeof *view);
  view->address = task, view->task = number;
  view->place.addresses = p->places[p->count];
  view->created.addresses = p->created[p->count];
  p->count++;
  return view;
}

static uintptr_t *places_of(tm_suspended_picture *p, const tm_suspended_view *view) {
  return p->places[view - p->tasks];
}

/* Notes what the task waits for. A continuation has the address of its task, and is made where the
 * task waits for it. */
static void note(tm_suspended_view *view, const tm_task_wait *wait) {
  view->awaited = wait->awaited, view->on = wait->number, view->parent = wait->parent;
  if (wait->awaited == TM_AWAITS_ACTOR)
    tm_object_describe(wait->on, TM_ACTOR, TM_EXCLUSIVE, &view->object);
  if (wait->awaited != TM_AWAITS_CONTINUATION) return;
  tm_object_describe(view->address, TM_CONTINUATION, TM_EXCLUSIVE, &view->object);
  view->object.created = view->place.addresses;
  view->object.created_count = view->place.count;
}

/* Returns NULL if the task is not suspended, or there is no room for it. */
static tm_suspended_view *draw(tm_suspended_picture *p, const void *task, uint32_t number) {
  tm_task_wait wait;
  if (!tm_task_is_suspended(task, number, &wait) || tm_suspended_find(p, task)) return NULL;
  tm_suspended_view *view = next_view(p, task, number);
  if (!view) return NULL;
  view->place.count = tm_job_awaits(task, places_of(p, view));
  note(view, &wait);
  return view;
}

static bool has_users(const uintptr_t *places, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!tm_is_library(places[i])) return true;
  return false;
}

/* Leaves out the place if no line of the user's started the task. */
static void note_start(tm_suspended_view *view, uintptr_t created[TM_SITE],
                       const uintptr_t site[TM_SITE]) {
  uint32_t count = 0;
  tm_site_copy(created, site);
  while (count < TM_SITE && created[count]) count++;
  if (has_users(created, count)) view->created.count = count;
}

static void draw_known(const tm_known_task *k, void *context) {
  search *s = context;
  bool tests = k->root || tm_is_scope_open(k->scope);
  if (k->run != s->run || tests != s->tests) return;
  /* While a test runs, tasks of no test are the framework's. */
  if (!tests && !s->run && tm_is_test_running()) return;
  tm_suspended_view *view = draw(s->picture, k->task, k->number);
  if (!view) return;
  /* A task of a library or a framework that no task of the user's awaits. */
  if (!has_users(view->place.addresses, view->place.count)) {
    s->picture->count--;
    return;
  }
  view->root = k->root;
  view->scope = tm_is_scope_open(k->scope) ? k->scope : 0;
  note_start(view, s->picture->created[view - s->picture->tasks], k->created);
}

/* Draws each awaited task that was not noted at its beginning. */
static void draw_awaited(tm_suspended_picture *p) {
  tm_task_wait wait;
  for (uint32_t i = 0; i < p->count; i++)
    if (tm_task_is_suspended(p->tasks[i].address, p->tasks[i].task, &wait) && wait.number)
      draw(p, wait.on, wait.number);
}

void tm_suspended_draw(tm_suspended_picture *p, uint32_t run) {
  search s = {p, run, true};
  tm_tasks_each(draw_known, &s);
  s.tests = false;
  tm_tasks_each(draw_known, &s);
  draw_awaited(p);
}

tm_suspended_view *tm_suspended_add(tm_suspended_picture *p, const void *task,
                                    const uintptr_t *places, uint32_t count) {
  tm_suspended_view *view = next_view(p, task, tm_task_number(task));
  if (!view) return NULL;
  tm_copy(places_of(p, view), places, count * sizeof *places);
  view->place.count = count;
  tm_task_wait wait = {.awaited = TM_AWAITS_CONTINUATION};
  note(view, &wait);
  return view;
}

TM_GATE_CODE_END
#endif
