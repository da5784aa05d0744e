/* Courses: the names that jitter gives to strands, the same in each run. */
#ifndef TM_COURSE_H
#define TM_COURSE_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/attention.h"
#include "threadmill_views.h"

uint64_t tm_scramble(uint64_t);
/* One name for a place of submission. */
uintptr_t tm_course_place(const uintptr_t site[TM_SITE]);
/* Returns the path of the work, object or thread that this strand submits, makes or starts now. The
 * path is made of the strand's own path and the number among its children, so that neither an
 * address nor another thread changes it. */
uint64_t tm_course_child(tm_thread *);
/* The child's path, or 0 while this thread is not under jitter. */
TM_INLINE uint64_t tm_path_of_child(tm_thread *t) {
  return TM_UNLIKELY(tm_is_jittered(t)) ? tm_course_child(t) : 0;
}
#endif
