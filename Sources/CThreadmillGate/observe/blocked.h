/* Waits behind an owner, and the deadlocks that they make. */
#ifndef TM_BLOCKED_H
#define TM_BLOCKED_H
#include "ground/thread.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "tell/view.h"
#include "threadmill_views.h"

/* The thread is about to wait for an object that another thread seems to have. */
void tm_about_to_block(tm_thread *, tm_operation *);
/* Returns whether the thread has `object`, for which another thread waits as in `wait`, in a mode
 * that shuts the waiter out. A hint: nothing is synchronised. */
bool tm_holds(tm_thread *, const void *object, const tm_wait *wait);
/* Returns whether another thread holds the queue in a mode that excludes this one. A hint, too. */
bool tm_held_by_other(tm_thread *, const void *object, tm_mode mode);
/* Adds to the views of waiting threads the objects that threads hold without a call that the gate
 * sees: a Swift mutex names its owner, and the main thread has the main queue. */
void tm_views_complete(tm_thread *const *threads, tm_view_room *rooms, tm_thread_view *views,
                       uint32_t count);
#endif
