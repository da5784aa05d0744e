/* Checks holds against the locks themselves. */
#ifndef TM_OWNED_H
#define TM_OWNED_H
#include "ground/thread.h"
#include "strand/part.h"
#include "threadmill_views.h"

/* Returns whether the thread still owns the object of its hold. It has lost a mutex that another
 * thread unlocked. */
bool tm_still_owns(const tm_thread *, const tm_hold *);

/* Returns the system's number of the thread that has the lock, or 0: the lock is free, has readers,
 * or does not say who has it. Also 0 for a lock that another process may have, and for a robust
 * one, which the system takes back from a thread that ends. */
int tm_sole_owner_of(const void *lock, tm_kind);
/* Returns whether the lock's own words say which thread has it. */
bool tm_names_owner(const void *lock, tm_kind);
#endif
