/* The creation of threads in programs with Address or Leak Sanitizer, where the gate is
 * preloaded. */
#ifndef TM_CREATION_H
#define TM_CREATION_H
#include "ground/base.h"
#include <pthread.h>

/* Puts the gate in front of the sanitizer's function. Called before the program has a second
 * thread. */
void tm_creation_prepare(void);
/* Returns the function that makes the thread if the sanitizer has called the gate while the gate
 * was calling the sanitizer; otherwise NULL. */
__typeof__(&pthread_create) tm_creation_within(void);

/* The gate's `pthread_create`, whichever one comes first in the process. */
extern __typeof__(pthread_create) tm_pthread_create __attribute__((visibility("hidden")));
#endif
