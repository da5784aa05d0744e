/* Reads libdispatch's objects. The offsets are measured at start-up: no layout is compiled in, and
 * a field whose offset was not found is not read. */
#ifndef TM_LAYOUT_H
#define TM_LAYOUT_H
#include <pthread.h>
#include "ground/base.h"
#include <stdbool.h>
#include <stdint.h>

void tm_layout_prepare(void);

/* The class of an object, by the class pointer in its first word. */
typedef enum tm_class {
  TM_CLASS_OTHER,
  TM_CLASS_SEMAPHORE,
  TM_CLASS_GROUP,
  TM_CLASS_QUEUE,
  TM_CLASS_SOURCE,
} tm_class;
tm_class tm_class_of(const void *object);
/* Learns the class of sources from `source`, which was just made. */
void tm_class_learn_source(const void *source);

/* Returns whether the reference that the caller is about to drop is the last one outside
 * libdispatch. */
bool tm_is_last_reference(const void *object);
/* Reads a semaphore's values; returns false if their offsets are unknown. The value is below 0
 * while threads wait. */
bool tm_semaphore_values(const void *semaphore, int64_t *value, int64_t *initial);
/* Returns the number of enters and blocks that are not over; -1 if the count's offset is
 * unknown. */
int64_t tm_group_count(const void *group);
/* Returns whether a queue or source is suspended, or not activated yet. */
bool tm_is_suspended(const void *lane);

/* PTHREAD_MUTEX_NORMAL and so on, as glibc keeps it in the mutex. */
TM_INLINE int tm_mutex_type(const void *mutex) {
  return ((const pthread_mutex_t *)mutex)->__data.__kind & 3;
}
/* Return whether other processes can use the lock, too. */
TM_INLINE bool tm_is_shared_mutex(const void *mutex) {
  enum { SHARED = 128 };
  return ((const pthread_mutex_t *)mutex)->__data.__kind & SHARED;
}
TM_INLINE bool tm_is_shared_rwlock(const void *lock) {
  return ((const pthread_rwlock_t *)lock)->__data.__shared != 0;
}
#endif
