/* Tells that a thread waits for a lock whose owner has ended. */
#ifndef TM_TELL_ENDED_OWNER_H
#define TM_TELL_ENDED_OWNER_H
#include "ground/thread.h"
#include "object/left.h"

/* A thread that waits for a lock, and the lock's last owner. */
typedef struct tm_stranded {
  tm_thread *waiter;
  unsigned sequence; /* the waiter's: it has not moved as long as this is the same */
  tm_left left;
} tm_stranded;

/* Returns whether the thread waits without a limit for a lock that a thread has left, and fills in
 * who. */
bool tm_is_stranded(tm_thread *, tm_stranded *);
/* For an up-call; `stranded` is a `tm_stranded`. Tells it unless the waiter has moved. */
void tm_tell_stranded(void *stranded);
#endif
