#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "visits.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* As the library has it. */
static struct {
  atomic_bool begun;
  pthread_mutex_t *lock;
} meeting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *library) { return dlopen(library, RTLD_NOW); }

bool visits_while_loading(const char *library, void (*body)(void)) {
  char place[32];
  snprintf(place, sizeof place, "%p", (void *)&meeting);
  setenv("MEETING", place, 1);
  meeting.lock = &lock;
  pthread_t loader;
  void *loaded = NULL;
  pthread_mutex_lock(&lock);
  pthread_create(&loader, NULL, load, (void *)library);
  while (!atomic_load(&meeting.begun)) sched_yield();
  body();
  pthread_mutex_unlock(&lock);
  pthread_join(loader, &loaded);
  return loaded != NULL;
}
