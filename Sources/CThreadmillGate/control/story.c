#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "object/hop.h"
#include "object/object.h"
#include "object/queue.h"
#include "strand/job.h"
#include "strand/tasks.h"
#include "strand/thread.h"
#include "tell/suspended.h"
#include "threadmill_control.h"
#include "threadmill_story.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

_Static_assert(TM_FLOW_STACK == TM_STACK, "room for a whole stack");
_Static_assert(TM_FLOW_FILE == TM_FILE_NAME, "room for a whole name");

/* Describes flows for reports. No flow moves meanwhile, because the thread that asks has the
 * baton. */

/* Describes a task by the awaits that it will return to, and new work by the place that submitted
 * it. */
static void describe_hop(const tm_hop *hop, tm_flow_view *view) {
  tm_job_state state;
  uintptr_t awaits[TM_STACK];
  view->is_job = hop->job;
  if (hop->job && tm_job_ask(hop->context, &state)) view->task = state.task;
  uint32_t count = hop->job ? tm_job_awaits(hop->context, awaits) : 0;
  for (uint32_t i = 0; i < count && view->stack_count < TM_FLOW_STACK; i++)
    view->stack[view->stack_count++] = awaits[i];
  if (hop->aside) return;
  for (int i = 0; i < TM_SITE && hop->site[i] && view->stack_count < TM_FLOW_STACK; i++)
    view->stack[view->stack_count++] = hop->site[i];
}

/* Describes the job of a flow that runs, as the state of its thread names it. */
static void describe_job(const tm_thread *t, tm_flow_view *view) {
  tm_job_state state;
  const void *job = t->strand.origin.runs.job;
  if (!job) return;
  view->is_job = true;
  if (tm_job_ask(job, &state)) view->task = state.task;
}

/* Describes a thread, without a name that it only inherited. */
static void describe_thread(const tm_flow *f, tm_flow_view *view) {
  const tm_thread *t = f->seat->thread;
  view->is_thread = true;
  if (!t || pthread_getname_np(f->seat->handle, view->name, sizeof view->name) != 0 ||
      tm_text_is(view->name, t->who.first_name))
    view->name[0] = 0;
}

/* A root queue's label is left out, because the program did not choose it. */
static void describe_queue(const void *queue, tm_flow_view *view) {
  if (queue && !tm_queue_is_root(queue)) view->label = tm_queue_label(queue);
}

static void describe_object(const void *address, tm_flow_view *view) {
  tm_kind kind;
  if (address && tm_object_kind(address, &kind))
    tm_object_note(address, kind, TM_EXCLUSIVE, &view->object);
}

static int32_t joined_by(const tm_flow *f) {
  const tm_flow *it = f->kind == TM_STEP_JOIN ? tm_flow_of_thread((pthread_t)f->with) : NULL;
  return it ? (int32_t)it->number : -1;
}

static void describe(const tm_flow *f, tm_flow_view *view) {
  tm_clear(view, sizeof *view);
  view->number = f->number;
  view->kind = f->kind;
  view->at = f->object;
  view->is_main = f->object && f->object == tm_main_queue;
  view->has_begun = f->state == TM_FLOW_HERE && (f->frame || f->aside);
  view->can_go_on = !f->can || f->can(f) != TM_NO;
  view->joined = joined_by(f);
  view->is_yield = f->is_yield;
  const tm_hop *hop = tm_hop_in(f->work, f->context);
  /* A switch is shown by the place where the task goes on, plus 1, like a return address. */
  if (f->kind == TM_STEP_HOP) view->stack[view->stack_count++] = (uintptr_t)f->with + 1;
  if (hop && (f->state == TM_FLOW_NEW || f->aside)) describe_hop(hop, view);
  if (f->seat && f->seat->is_thread) describe_thread(f, view);
  describe_queue(f->ticket.queue, view);
  describe_object(f->object, view);
  if (f->file) tm_file_name(f->file - 1, view->file);
  if (!view->has_begun || f->aside) return;
  const tm_thread *t = f->seat->thread;
  if (!view->is_thread) describe_job(t, view);
  uint32_t kept = view->stack_count;
  view->stack_count +=
      tm_stack_of_waiting(t, (void *)f->frame, view->stack + kept, TM_FLOW_STACK - kept);
}

typedef struct listener {
  uint32_t number;
  bool all;
  tm_flow_listener call;
  void *context;
} listener;

static bool tell(tm_flow *f, void *context) {
  const listener *l = context;
  if (!l->all && f->number != l->number) return true;
  tm_flow_view view;
  describe(f, &view);
  l->call(&view, l->context);
  return l->all;
}

void tm_flow_describe(uint32_t number, tm_flow_listener call, void *context) {
  listener l = {number, false, call, context};
  tm_flows_each(tell, &l);
}

void tm_flows_describe(tm_flow_listener call, void *context) {
  listener l = {0, true, call, context};
  tm_flows_each(tell, &l);
}

void tm_suspended_describe(tm_suspended_listener call, void *context) {
  tm_suspended_picture *p = tm_map(sizeof *p);
  if (!p) return;
  tm_suspended_draw(p, tm_tasks_run());
  for (uint32_t i = 0; i < p->count; i++) call(&p->tasks[i], context);
  tm_unmap(p, sizeof *p);
}

TM_GATE_CODE_END
#endif
