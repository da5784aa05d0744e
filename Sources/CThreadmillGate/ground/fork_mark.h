/* Tells a process from its copy. A program can fork without libc; no handler of `pthread_atfork`
 * then stops the watching, and the locks of the other threads stay taken in the copy. */
#ifndef TM_FORK_MARK_H
#define TM_FORK_MARK_H
#include "ground/base.h"

/* Called once, before anything is watched. */
void tm_fork_mark_prepare(void);

/* Set while a process with one thread forks a child that goes on being watched. Every other child
 * is left alone. */
extern bool tm_copies_stay_watched;
/* Makes such a child know itself as the watched process. */
void tm_fork_mark_renew(void);
/* Whether this process is such a child. Set while it has one thread; only read after that. */
extern bool tm_is_watched_copy;

/* The mark: the kernel clears it in a copy. */
extern const uint32_t *tm_fork_mark;

/* Returns whether this process is a copy of the one that is watched. A child that shares the memory
 * of its parent (`vfork`) is none. */
TM_INLINE bool tm_is_copy(void) { return *(const volatile uint32_t *)tm_fork_mark == 0; }
#endif
