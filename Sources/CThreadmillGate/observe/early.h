/* Groups whose end is asked for too early: `notify` before the first `enter`. */
#ifndef TM_EARLY_H
#define TM_EARLY_H
#include "ground/thread.h"
#include "object/group.h"

/* Each function notes one chapter of a group's beginning. `t` is NULL if the call was not the
 * user's own. */
void tm_early_notified(tm_thread *, void *frame, tm_group *);
void tm_early_entered(tm_thread *, void *frame, tm_group *, bool block);
void tm_early_left(tm_thread *, tm_group *);
void tm_early_waited(const void *group);
/* The last reference outside libdispatch is about to go. */
void tm_group_ends(tm_thread *, void *frame, const void *group);
#endif
