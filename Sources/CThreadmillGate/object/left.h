/* Locks that threads still held when they ended. Glibc never gives them to another thread, except
 * robust ones, which are not kept here. A bounded table. */
#ifndef TM_LEFT_H
#define TM_LEFT_H
#include "ground/base.h"
#include "ground/thread.h"
#include "threadmill_views.h"

typedef struct tm_left {
  const void *object; /* NULL: the place in the table is free */
  tm_kind kind;
  int tid;         /* of the thread that took it */
  uint32_t thread; /* that thread's number */
  char name[16];   /* that thread's name; empty: none of its own */
  uintptr_t site[TM_SITE];
  bool told; /* a wait for it was told */
} tm_left;

extern atomic_uint tm_left_count; /* entries of the table; never too low */

/* Called by a thread that ends: keeps one of its holds if the thread owns that lock and nothing can
 * give it back. Returns true if the hold was not kept before. */
bool tm_left_note(tm_thread *, const tm_hold *);
/* Copies the entry of a lock. Returns false if there is none. */
bool tm_left_find(const void *object, tm_left *found);
/* Returns whether the lock is still owned by the thread that left it, which may be about to end.
 * Looks at the lock through the kernel, because its memory may be gone. */
bool tm_left_is_owned(const tm_left *);
/* Notes that a wait for the lock is told. */
void tm_left_told(const tm_left *);

void tm_left_forget_seen(const void *object);
/* Forgets a lock that was destroyed, or made anew. */
TM_INLINE void tm_left_forget(const void *object) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_left_count, memory_order_relaxed) != 0))
    tm_left_forget_seen(object);
}
#endif
