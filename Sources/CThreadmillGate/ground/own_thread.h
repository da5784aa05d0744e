/* Threads of the gate's own. They handle none of the program's signals. */
#ifndef TM_OWN_THREAD_H
#define TM_OWN_THREAD_H
#include <pthread.h>

/* Starts a thread, which has to be joined if it ends before the process does. Returns false if the
 * system refuses. */
bool tm_own_thread_start(pthread_t *, void *(*body)(void *));
#endif
