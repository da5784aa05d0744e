/* Which operation waits for which, and what follows from it. Swift keeps the graph; before anything
 * is said of it, Foundation's own lists are looked at. */
#ifndef TM_DEPENDENCIES_H
#define TM_DEPENDENCIES_H
#include "ground/thread.h"
#include "object/object.h"
#include "threadmill_gate.h"

/* Room for the names of a happening's operations. */
typedef struct tm_operation_names {
  char text[TM_HAPPENING_OBJECTS][96];
} tm_operation_names;

/* An operation that a thread is inside of: `start` was called and has not returned. */
typedef struct tm_running {
  const void *operation;
  struct tm_running *outer;
} tm_running;

/* The entry of an operation, locked; made if it is not there. */
tm_object *tm_operation_object(tm_thread *, const void *operation);
/* Adds a living operation to what a happening is about. */
void tm_operation_describe(tm_thread *, tm_happening *, const void *operation,
                           tm_operation_names *);

/* `operation` was told to wait for `on` (or is about to be, if they are the same). */
void tm_operation_depends(tm_thread *, const void *operation, const void *on, void *frame);
void tm_operation_is_independent(tm_thread *, const void *operation, const void *on);
/* The calling thread, which is inside of an operation or is the main thread, is about to wait. */
void tm_operation_awaits(tm_thread *, const void *operation, void *frame);
#endif
