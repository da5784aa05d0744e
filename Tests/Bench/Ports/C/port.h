/* What the programs share: threads, and the verdict. */
#ifndef BENCH_PORT_H
#define BENCH_PORT_H
#include "bench_ports.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void *port_thread(void *);

enum { PORT_MOST_THREADS = 128 };

/* Begins a run: nothing has failed yet. */
void port_begin(void);
/* Notes that the program's check failed. No access of these functions is a point. */
void port_fail(void);
static inline void port_check(bool holds) {
  if (!holds) port_fail();
}
bool port_has_failed(void);

void port_start(port_thread *, void *argument);
/* Starts a thread for each number below `count`, and gives it the number. */
void port_start_many(port_thread *, int count);
/* Waits for all threads that were started, and returns whether the check failed. */
bool port_end(void);

/* The number that `port_start_many` gave to the thread. */
static inline int port_number(void *argument) { return (int)(intptr_t)argument; }

#endif
