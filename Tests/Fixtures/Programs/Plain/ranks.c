/* A thread waits for a mutex that another one holds for long; the argument says which ranks the two
 * have, and whether the mutex passes them on. */
#define _GNU_SOURCE
#include "meeting.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct rank {
  int nice, real_time; /* 0: none */
} rank;

typedef struct scene {
  const char *name;
  rank holder, waiter;
  int protocol;
} scene;

static const scene scenes[] = {
    {"nice", {.nice = 10}, {0}, PTHREAD_PRIO_NONE},
    {"real-time", {0}, {.real_time = 1}, PTHREAD_PRIO_NONE},
    {"real-time-both", {.real_time = 1}, {.real_time = 2}, PTHREAD_PRIO_NONE},
    {"equal", {.nice = 10}, {.nice = 10}, PTHREAD_PRIO_NONE},
    {"lower", {0}, {.nice = 10}, PTHREAD_PRIO_NONE},
    {"inherits", {.nice = 10}, {0}, PTHREAD_PRIO_INHERIT},
};

static const scene *played;
static pthread_mutex_t cache;
static atomic_int held;

/* A system may forbid real-time priorities; there is nothing to see then. */
static void become(rank wanted) {
  if (wanted.nice && setpriority(PRIO_PROCESS, gettid(), wanted.nice) != 0) exit(77);
  struct sched_param given = {.sched_priority = wanted.real_time};
  if (wanted.real_time && pthread_setschedparam(pthread_self(), SCHED_FIFO, &given) != 0) exit(77);
}

static void *slow(void *unused) {
  become(played->holder);
  pthread_mutex_lock(&cache);
  arrive(&held);
  struct timespec while_waited_for = {0, 50000000};
  nanosleep(&while_waited_for, NULL);
  pthread_mutex_unlock(&cache);
  return unused;
}

static void *urgent(void *unused) {
  await(&held, 1);
  become(played->waiter);
  pthread_mutex_lock(&cache);
  pthread_mutex_unlock(&cache);
  return unused;
}

int main(int count, char **words) {
  for (size_t i = 0; count == 2 && i < sizeof scenes / sizeof *scenes; i++)
    if (strcmp(scenes[i].name, words[1]) == 0) played = &scenes[i];
  if (!played) return fputs("usage: ranks SCENE\n", stderr), 2;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, played->protocol);
  pthread_mutex_init(&cache, &attributes);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, slow, NULL);
  pthread_create(&threads[1], NULL, urgent, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
