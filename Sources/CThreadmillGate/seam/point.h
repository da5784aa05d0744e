/* Points: where jitter may delay a thread, and where an exploration may choose another one.
 *
 * Free when both are off: a point is asked for only on the way of a thread that attends to them. */
#ifndef TM_POINT_H
#define TM_POINT_H
#include "ground/base.h"
#include "code/caller.h"
#include "ground/thread.h"
#include "strand/attention.h"
#include "strand/course.h"
#include "threadmill_shake.h"
#include "threadmill_views.h"

/* `place`: of the call, or of the submission of the work that begins. */
void tm_shake_point(tm_thread *, tm_point, const void *object, uintptr_t place);

/* Only what the user's code does itself is disturbed; of Foundation's, what it does at once for a
 * caller. */
TM_INLINE bool tm_is_users_own(tm_caller who) { return (who & ~TM_CALLER_FLAGS) == TM_CALLER_USER; }
TM_INLINE void tm_point_at(tm_thread *t, tm_caller who, tm_point point, const void *object,
                           uintptr_t place) {
  if (TM_UNLIKELY(tm_is_shaken(t)) && tm_is_users_own(who)) tm_shake_point(t, point, object, place);
}

/* In an interposed function that does something to `object`: a point of this kind of the user's. */
#define TM_POINT(t, kind, object) \
  tm_point_at(t, tm_who, TM_POINT_##kind, object, (uintptr_t)__builtin_return_address(0))

/* A strand begins the user's code. */
TM_INLINE void tm_point_begin(tm_thread *t, const uintptr_t site[TM_SITE]) {
  if (TM_UNLIKELY(tm_is_shaken(t))) tm_shake_point(t, TM_POINT_BEGIN, NULL, tm_course_place(site));
}
#endif
