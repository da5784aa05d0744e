/* Lets threads come to a place in a known order, by flags only: nothing that is watched. */
#ifndef MEETING_H
#define MEETING_H
#include <sched.h>
#include <stdatomic.h>

static inline void arrive(atomic_int *flag) { atomic_fetch_add(flag, 1); }
static inline void await(atomic_int *flag, int count) {
  while (atomic_load(flag) < count) sched_yield();
}
#endif
