/* Waits for semaphores, dispatch_semaphore_t and sem_t alike. */
#ifndef TM_SEMAPHORE_WAIT_H
#define TM_SEMAPHORE_WAIT_H
#include "code/caller.h"
#include "code/stack.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "observe/profile.h"
#include "seam/point.h"
#include "seam/users_call.h"
#include "strand/operation.h"
#include "threadmill_views.h"

/* The time that a call is willing to wait. */
typedef enum tm_patience { TM_FOR_EVER, TM_FOR_A_TIME, TM_NOT_AT_ALL } tm_patience;

/* One wait, between its two ends. */
typedef struct tm_passage {
  tm_thread *thread;
  tm_operation op;
  bool lock; /* the semaphore is used as a lock */
  tm_profiled profiled;
} tm_passage;

void tm_passage_begin(tm_passage *, tm_patience);
void tm_passage_end(tm_passage *, bool succeeded);
void tm_passage_cancelled(void *passage);
/* The thread is about to signal the semaphore, in the interposed function that has this frame. */
void tm_semaphore_signalled(tm_thread *, void *frame, const void *semaphore);

/* The body of an interposed function that waits for a semaphore. */
#define TM_PASSAGE(name, arguments, semaphore, how)                                         \
  tm_caller tm_who;                                                                         \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                       \
  if (!t) return TM_REAL(name) arguments;                                                   \
  TM_POINT(t, BEFORE, semaphore);                                                           \
  tm_passage p = {                                                                          \
      t, {.object = semaphore, .kind = TM_SEMAPHORE, .frame = __builtin_frame_address(0)}}; \
  tm_site_take(t, p.op.frame, p.op.site);                                                   \
  tm_passage_begin(&p, how);                                                                \
  __typeof__(TM_REAL(name) arguments) result;                                               \
  pthread_cleanup_push(tm_passage_cancelled, &p);                                           \
  result = TM_REAL(name) arguments;                                                         \
  pthread_cleanup_pop(0);                                                                   \
  tm_passage_end(&p, result == 0);                                                          \
  TM_POINT(t, WAKE, NULL);                                                                  \
  return result
#endif
