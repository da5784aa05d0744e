/* Locks as a C program uses them. Threadmill is linked and never called. */
#ifndef PLAIN_LOCKS_H
#define PLAIN_LOCKS_H
#include <pthread.h>

typedef struct lock_case {
  const char *name; /* NULL ends a table */
  void (*run)(void);
} lock_case;

extern const lock_case owner_cases[], misuse_cases[], habit_cases[];

/* Starts a thread. */
pthread_t start(void *(*body)(void *), void *argument);
/* Runs it on a thread of its own, and waits for its end. */
void elsewhere(void *(*body)(void *), void *argument);
/* Returns when the main thread sleeps in the kernel. */
void until_main_sleeps(void);
void make_mutex(pthread_mutex_t *, int type, int robust);
#endif
