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

/* `place`: the place of the call; at the begin of submitted work, the place of its submission. */
void tm_shake_point(tm_thread *, tm_point, const void *object, uintptr_t place);

/* Returns whether the user's code makes the call itself. Only these calls have points; long_way.c
 * adds those that Foundation makes directly for its caller. */
TM_INLINE bool tm_is_users_own(tm_caller who) { return (who & ~TM_CALLER_FLAGS) == TM_CALLER_USER; }
TM_INLINE void tm_point_at(tm_thread *t, tm_caller who, tm_point point, const void *object,
                           uintptr_t place) {
  if (TM_UNLIKELY(tm_is_shaken(t)) && tm_is_users_own(who)) tm_shake_point(t, point, object, place);
}

/* A point of this kind in an interposed function that acts on `object`, if the call is the user's
 * own. */
#define TM_POINT(t, kind, object) \
  tm_point_at(t, tm_who, TM_POINT_##kind, object, (uintptr_t)__builtin_return_address(0))

/* The point at which a strand begins to run the user's code. */
TM_INLINE void tm_point_begin(tm_thread *t, tm_point kind, const uintptr_t site[TM_SITE]) {
  if (TM_UNLIKELY(tm_is_shaken(t))) tm_shake_point(t, kind, NULL, tm_course_place(site));
}
#endif
