/* The picture of a process that stands still: its threads, what they wait for, and facts about
 * that.
 */
#ifndef TM_PICTURE_H
#define TM_PICTURE_H
#include "ground/limits.h"
#include "ground/thread.h"
#include "tell/suspended.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

enum { TM_PICTURE_THREADS = 192, TM_FACTS = 64, TM_LABEL = 96 };

/* A picture under construction. Large, so it is mapped for the time being. */
typedef struct tm_picture {
  tm_standstill told;
  tm_thread *threads[TM_PICTURE_THREADS];
  tm_thread_view views[TM_PICTURE_THREADS];
  tm_view_room rooms[TM_PICTURE_THREADS];
  tm_fact facts[TM_FACTS];
  uintptr_t sites[TM_FACTS][TM_SITE];
  tm_suspended_picture tasks;
  char labels[TM_FACTS][TM_LABEL];
  uint32_t label_count;
  bool is_hang, main_wanted;
} tm_picture;

/* Adds a thread. A thread that is in no watched wait is asked for its stack, or else its stack is
 * the one that was last taken. */
void tm_picture_thread(tm_picture *, tm_thread *, bool asks);
/* Completes the picture, after the last thread. */
void tm_picture_rest(tm_picture *);
/* Adds a fact about an object, with a place if there is one; returns NULL if there is no room. */
tm_fact *tm_picture_fact(tm_picture *, tm_fact_kind, const tm_object_view *object,
                         const uintptr_t site[TM_SITE]);
bool tm_is_told(const tm_picture *, const tm_object_view *object, tm_fact_kind);
/* Adds what is known of the groups and semaphores that threads wait for. */
void tm_picture_objects(tm_picture *);
/* Adds to the views which threads wait for operations and which threads run these, and adds the
 * reasons why the operations have not finished. */
void tm_picture_operations(tm_picture *);
/* Adds the tasks that are suspended. */
void tm_picture_tasks(tm_picture *);
/* Returns whether a task waits for a continuation that the program's code has made. */
bool tm_task_awaits(void);
/* Returns whether a test that runs, or a continuation that its code has made, keeps a task
 * suspended. */
bool tm_test_awaits(void);
#endif
