/* The operations on locks as plain functions of one pointer, for holders and for other threads. */
#ifndef POSIX_LOCKS_H
#define POSIX_LOCKS_H

#include "conformance.h"

static inline int lock(void *mutex) { return pthread_mutex_lock(mutex); }
static inline int unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
static inline int try_lock(void *mutex) { return pthread_mutex_trylock(mutex); }

/* Tries, and gives back at once what it got. */
static inline int probe(void *mutex) {
  int code = pthread_mutex_trylock(mutex);
  if (code == 0) pthread_mutex_unlock(mutex);
  return code;
}

static inline int read_lock(void *rwlock) { return pthread_rwlock_rdlock(rwlock); }
static inline int write_lock(void *rwlock) { return pthread_rwlock_wrlock(rwlock); }
static inline int rw_unlock(void *rwlock) { return pthread_rwlock_unlock(rwlock); }

/* Initialises `mutex` with one attribute set; the type is PTHREAD_MUTEX_DEFAULT unless told. */
static inline void init_kind(pthread_mutex_t *mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static inline void init_shared(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

#endif
