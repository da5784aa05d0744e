/* Views of threads, made for an up-call. */
#ifndef TM_VIEW_H
#define TM_VIEW_H
#include "ground/base.h"
#include "ground/limits.h"
#include "ground/runs.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/operation.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

/* Everything that one view points to. Large: made on the slow path only. */
typedef struct tm_view_room {
  tm_object_view held[TM_HOLDS + TM_CHAIN + 1];
  uintptr_t stack[TM_STACK];
  tm_runs_view runs;
} tm_view_room;

/* Describes submitted work, if its objects are still there; returns false if the thread runs no
 * submitted work. `task` is the Swift task that runs, NULL if unknown. */
bool tm_runs_describe(const tm_runs *, const void *task, tm_runs_view *);
/* The view is about to go up. */
void tm_runs_declare(tm_runs_view *);
/* The kind as a report names it: a recursive mutex is told from a plain one. */
tm_kind tm_kind_of(const void *object, tm_kind kind);
/* The calling thread, with its stack from `frame` on, and what it is about to take (NULL: nothing).
 */
void tm_view_self(tm_thread *, void *frame, const tm_operation *wanted, tm_view_room *,
                  tm_thread_view *);
/* The same for a view of which nobody knows yet whether it goes up, and how it goes up, as
 * what takes one lock inside others. */
void tm_view_note_self(tm_thread *, void *frame, const tm_operation *wanted, tm_view_room *,
                       tm_thread_view *);
void tm_tell_nested(tm_thread_view *, tm_view_room *);
/* Tells that what comes next cannot succeed. */
void tm_tell_certain(const tm_thread_view *, tm_certainty, const tm_object_view *chain,
                     uint32_t count);
/* Tells of a happening on the calling thread, whose stack begins at `frame`. Fills in the view of
 * the thread and, if `view` is not NULL, that view: one of the happening's, of the object and kind
 * that follow. */
void tm_tell(tm_thread *, void *frame, tm_happening *, tm_object_view *view, const void *object,
             tm_kind);
/* The same for a happening that has all its objects. */
TM_INLINE void tm_tell_all(tm_thread *t, void *frame, tm_happening *happening) {
  tm_tell(t, frame, happening, NULL, NULL, TM_THREAD);
}
/* The same with what it waits for, even if that is held by nobody or not for ever. */
void tm_view_waiting(tm_thread *, tm_view_room *, tm_thread_view *);
/* Another thread, as it stands; without stack. Consistent only if its sequence is the same
 * afterwards. */
void tm_view_other(tm_thread *, tm_view_room *, tm_thread_view *);
#endif
