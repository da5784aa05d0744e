/* Threads of the gate's own. They handle none of the program's signals, and take nothing from the
 * program's default attributes: their stacks are the gate's, so that libc, which keeps the stack of
 * a thread that has ended, or that a forked child does not have, gives none to the program. */
#ifndef TM_OWN_THREAD_H
#define TM_OWN_THREAD_H
#include <pthread.h>

typedef struct tm_own_thread {
  pthread_t handle;
  char *stack; /* kept for the next thread that is started here */
} tm_own_thread;

/* Starts a thread, which has to be joined if it ends before the process does, and before another
 * one is started here. Returns false if the system refuses. */
bool tm_own_thread_start(tm_own_thread *, void *(*body)(void *));
void tm_own_thread_join(tm_own_thread *);
/* Returns the number of these threads that were started and not joined. */
uint32_t tm_own_thread_count(void);
#endif
