/* Dependencies between operations, and the waits that can never end because of them. Swift keeps
 * the graph; before a report, the gate confirms each step in Foundation's own lists. */
#ifndef TM_DEPENDENCIES_H
#define TM_DEPENDENCIES_H
#include "ground/thread.h"
#include "object/object.h"
#include "threadmill_views.h"

/* Room for the name of one operation of a happening. */
typedef struct tm_operation_name {
  char text[96];
} tm_operation_name;

/* An operation that a thread is inside of: `start` was called and has not returned. */
typedef struct tm_running {
  const void *operation;
  struct tm_running *outer;
} tm_running;

/* Returns the entry of an operation, locked; makes it if there is none. */
tm_object *tm_operation_object(tm_thread *, const void *operation);
/* Fills in the view of a living operation, which points to the name. Returns false, and leaves the
 * view as it is, if there is no memory for the operation's entry. */
bool tm_operation_describe(tm_thread *, const void *operation, tm_object_view *,
                           tm_operation_name *);

/* `operation` was told to wait for `on`. If the two are the same operation, the call is still to
 * come. */
void tm_operation_depends(tm_thread *, const void *operation, const void *on, void *frame);
void tm_operation_is_independent(tm_thread *, const void *operation, const void *on);
/* The calling thread, which is inside of an operation or is the main thread, is about to wait. */
void tm_operation_awaits(tm_thread *, const void *operation, void *frame);
#endif
