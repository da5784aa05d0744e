/* Views of threads, made for an up-call. */
#ifndef TM_VIEW_H
#define TM_VIEW_H
#include "ground/base.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/runs.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/operation.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

/* The exclusive contexts that no watched call gave to the calling thread: the queue whose source
 * handler runs, the actor of the task. They guard; no thread is ever seen to wait for them. Returns
 * how many there are. */
enum { TM_AROUND = TM_CHAIN + 1 };
uint32_t tm_surroundings(tm_thread *, const void *task, tm_link links[TM_AROUND]);

/* Everything that one view points to. Large: made on the slow path only. */
typedef struct tm_view_room {
  tm_object_view held[TM_HOLDS + TM_AROUND];
  uintptr_t stack[TM_STACK];
  tm_runs_view runs;
} tm_view_room;

/* The room for the view of an up-call, used with the runtime's lock held: the calling thread's
 * stack may be too small for it. */
extern tm_view_room tm_upcall_room;

/* Describes submitted work, if its objects are still there; returns false if the thread runs no
 * submitted work. `task` is the Swift task that runs, NULL if unknown. */
bool tm_runs_describe(const tm_runs *, const void *task, tm_runs_view *);
/* Declares the objects of a view that is about to go up. */
void tm_runs_declare(tm_runs_view *);
/* The kind as a report names it: a recursive mutex is told from a plain one. */
TM_INLINE tm_kind tm_kind_of(const void *object, tm_kind kind) {
  bool recursive = kind == TM_MUTEX && tm_mutex_type(object) == PTHREAD_MUTEX_RECURSIVE_NP;
  return recursive ? TM_RECURSIVE_MUTEX : kind;
}
/* Describes the calling thread, with its stack from `frame` on, and the object that it is about to
 * take (NULL: none). */
void tm_view_self(tm_thread *, void *frame, const tm_operation *wanted, tm_view_room *,
                  tm_thread_view *);
/* The first describes the calling thread like `tm_view_self`, but declares no object, because the
 * view may never go up. The second declares the objects, and tells the view as a lock taken inside
 * others. */
void tm_view_note_self(tm_thread *, void *frame, const tm_operation *wanted, tm_view_room *,
                       tm_thread_view *);
void tm_tell_nested(tm_thread_view *, tm_view_room *);
/* Tells a nesting some of whose locks may be gone: it counts for their classes alone. */
void tm_tell_past(tm_thread_view *);
/* Fills in the name of the view's thread, if that is still there. */
void tm_view_name(tm_thread_view *);
/* Tells that the call that comes next cannot succeed. */
void tm_tell_certain(const tm_thread_view *, tm_certainty, const tm_object_view *chain,
                     uint32_t count);
/* Tells of a happening on the calling thread, whose stack begins at `frame`. Fills in the view of
 * the thread and, if `view` is not NULL, that view: one of the happening's, of the object and kind
 * that follow. */
void tm_tell(tm_thread *, void *frame, tm_happening *, tm_object_view *view, const void *object,
             tm_kind);
/* Tells a happening whose objects are all filled in. */
TM_INLINE void tm_tell_all(tm_thread *t, void *frame, tm_happening *happening) {
  tm_tell(t, frame, happening, NULL, NULL, TM_THREAD);
}
/* Describes a thread with the object that it waits for, even if the object has no owner or the wait
 * has a time limit. */
void tm_view_waiting(tm_thread *, tm_view_room *, tm_thread_view *);
/* Describes another thread, without its stack. The view is consistent only if the thread's sequence
 * number is the same afterwards. */
void tm_view_other(tm_thread *, tm_view_room *, tm_thread_view *);
#endif
