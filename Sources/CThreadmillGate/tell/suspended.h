/* The picture of the Swift tasks that are suspended. */
#ifndef TM_TELL_SUSPENDED_H
#define TM_TELL_SUSPENDED_H
#include "ground/limits.h"
#include "threadmill_views.h"

enum { TM_SUSPENDED = 64 };

/* Large, so it is mapped for the time being. */
typedef struct tm_suspended_picture {
  tm_suspended_view tasks[TM_SUSPENDED];
  uintptr_t places[TM_SUSPENDED][TM_STACK];
  uintptr_t created[TM_SUSPENDED][TM_SITE];
  uint32_t count;
  uint32_t left_out; /* tasks that there was no room for */
} tm_suspended_picture;

/* Draws the suspended tasks of this schedule of an exploration (0: those of none), and the tasks
 * that they wait for. Nothing of them may move meanwhile. */
void tm_suspended_draw(tm_suspended_picture *, uint32_t run);
/* Returns the task's view; NULL if the task is not in the picture. */
tm_suspended_view *tm_suspended_find(tm_suspended_picture *, const void *task);
/* Adds a task that certainly waits for a continuation, with the places that it goes on at. */
tm_suspended_view *tm_suspended_add(tm_suspended_picture *, const void *task,
                                    const uintptr_t *places, uint32_t count);
#endif
