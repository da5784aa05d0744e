/* Decides whether an interposed call is the user's and is to be watched. */
#ifndef TM_USERS_CALL_H
#define TM_USERS_CALL_H
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "strand/thread.h"

/* Returns the calling thread's state if a call of the user's is to be watched, else NULL. */
TM_INLINE tm_thread *tm_watched_thread(void) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t) && !(t = tm_thread_attach())) return NULL;
  return TM_UNLIKELY(t->ground.special != 0) ? tm_thread_attend(t) : t;
}

/* Returns the thread's state if the call is to be watched, NULL if it has to pass straight
 * through. */
TM_INLINE tm_thread *tm_users_call(void *return_address, tm_caller *caller) {
  tm_thread *t = tm_watched_thread();
  if (TM_UNLIKELY(!t)) return NULL;
  *caller = tm_caller_of(t, return_address);
  return *caller <= TM_CALLER_RUNTIME ? t : NULL;
}

/* Returns whether `tm_users_call` let the call pass because a library made it for itself, not
 * because of the state of the thread. `caller` has to be TM_CALLER_USER before `tm_users_call`. */
TM_INLINE bool tm_is_librarys(const tm_thread *t, tm_caller caller) {
  return !t && caller > TM_CALLER_RUNTIME;
}

#endif
