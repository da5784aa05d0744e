/* Decides whether an interposed call is the user's and is to be watched. */
#ifndef TM_USERS_CALL_H
#define TM_USERS_CALL_H
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "strand/thread.h"

/* Returns the thread's state if the call is to be watched, NULL if it has to pass straight
 * through. */
TM_INLINE tm_thread *tm_users_call(void *return_address, tm_caller *caller) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t) && !(t = tm_thread_attach())) return NULL;
  if (TM_UNLIKELY(t->ground.special != 0) && !(t = tm_thread_attend(t))) return NULL;
  *caller = tm_caller_of(t, return_address);
  return *caller <= TM_CALLER_RUNTIME ? t : NULL;
}

/* Returns whether `tm_users_call` let the call pass because a library made it for itself, not
 * because of the state of the thread. `caller` has to be TM_CALLER_USER before `tm_users_call`. */
TM_INLINE bool tm_is_librarys(const tm_thread *t, tm_caller caller) {
  return !t && caller > TM_CALLER_RUNTIME;
}

#endif
