#ifdef __linux__
#include "ground/base.h"
#include "ground/foundation.h"
#include "ground/limits.h"
#include "ground/swift_values.h"
#include "object/object.h"
#include "observe/dependencies.h"
#include "process/picture.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Operations that threads wait for. A thread that waits keeps its operation alive, and an operation
 * keeps those that it depends on; nothing moves, so the fields are read as they lie there. */

enum { DEEPEST = 16 };

static void describe(tm_picture *p, const void *operation, tm_object_view *view) {
  tm_object_describe(operation, TM_OPERATION, TM_EXCLUSIVE, view);
  view->created = NULL; /* the entry keeps the place of first use, not of creation */
  view->created_count = 0;
  if (p->label_count == TM_FACTS) return;
  char *text = p->labels[p->label_count++];
  tm_operation_label_still(operation, text, TM_LABEL);
  view->label = text;
}

static bool is_over(const void *operation) {
  return tm_operation_now(operation) >= TM_STATE_FINISHING;
}

/* Returns whether a thread is inside of the operation, and adds the operation to that thread's
 * view. */
static bool has_runner(tm_picture *p, const void *operation, const tm_object_view *view) {
  for (uint32_t i = 0; i < p->told.thread_count; i++)
    for (const tm_running *r = p->threads[i]->observe.running; r; r = r->outer) {
      if (r->operation != operation) continue;
      tm_thread_view *runner = &p->views[i];
      if (runner->held_count < TM_HOLDS) p->rooms[i].held[runner->held_count++] = *view;
      return true;
    }
  return false;
}

static tm_progress progress_of(const void *operation) {
  tm_progress progress = {.state = tm_operation_now(operation)};
  const void *queue = tm_operation_queue(operation);
  progress.in_queue = queue != NULL;
  if (queue && progress.state < TM_STATE_DISPATCHING)
    progress.queue_suspended = tm_operation_queue_is_suspended(queue);
  return progress;
}

static void explain(tm_picture *p, const void *operation, int depth);

/* Returns whether the operation waits for another one, and adds that to the facts. */
static bool explain_dependencies(tm_picture *p, const void *operation, const tm_object_view *view,
                                 int depth) {
  const void *list = tm_operation_list(operation);
  bool waits = false;
  if (!list || tm_operation_now(operation) >= TM_STATE_STARTING) return false;
  for (uint64_t i = 0; i < tm_array_count(list); i++) {
    const void *on = tm_array_element(list, i);
    if (is_over(on)) continue;
    tm_fact *fact = tm_picture_fact(p, TM_FACT_DEPENDENT, view, NULL);
    if (!fact) break;
    describe(p, on, &fact->on);
    waits = true;
    explain(p, on, depth + 1);
  }
  return waits;
}

static void explain(tm_picture *p, const void *operation, int depth) {
  tm_object_view view;
  if (depth == DEEPEST || is_over(operation)) return;
  describe(p, operation, &view);
  if (tm_is_told(p, &view, TM_FACT_DEPENDENT) || tm_is_told(p, &view, TM_FACT_UNFINISHED)) return;
  if (explain_dependencies(p, operation, &view, depth) || has_runner(p, operation, &view)) return;
  tm_fact *fact = tm_picture_fact(p, TM_FACT_UNFINISHED, &view, NULL);
  if (fact) fact->progress = progress_of(operation);
}

void tm_picture_operations(tm_picture *p) {
  for (uint32_t i = 0; i < p->told.thread_count; i++) {
    const void *awaited = atomic_load(&p->threads[i]->observe.awaited);
    if (!awaited || !atomic_load(&p->threads[i]->holds.wait.object)) continue;
    describe(p, awaited, &p->views[i].wanted);
    explain(p, awaited, 0);
  }
}

TM_GATE_CODE_END
#endif
