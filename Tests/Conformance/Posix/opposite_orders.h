/* Two locks, taken in opposite orders by two threads one after the other: a finding, if anything
 * watches. */
#ifndef OPPOSITE_ORDERS_H
#define OPPOSITE_ORDERS_H

#include "conformance.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static inline void *take_forth(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return unused;
}

static inline void *take_back(void *unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return unused;
}

static inline void take_opposite_orders(void) {
  pthread_join(conformance_start(take_forth, NULL), NULL);
  pthread_join(conformance_start(take_back, NULL), NULL);
}

#endif
