/* The rank that the system gives a thread: its real-time priority, else its nice value.
 *
 * It stands in for a quality of service if the program chose none. The gate reads ranks only after
 * the program has set one, and only for a thread that finds a lock taken. */
#ifndef TM_RANK_H
#define TM_RANK_H
#include "ground/base.h"

/* Comparable, and above every quality of service: idle, nice 19 to -20, real-time 1 to 99,
 * deadline. */
enum {
  TM_RANK_IDLE = 0x40,
  TM_RANK_NICE = 0x40,      /* plus 20 less the nice value */
  TM_RANK_REAL_TIME = 0x68, /* plus the priority */
  TM_RANK_DEADLINE = 0xFF,
};

/* Whether some thread was given a rank. */
extern atomic_bool tm_ranked;
TM_INLINE bool tm_is_ranked(void) { return atomic_load_explicit(&tm_ranked, memory_order_relaxed); }

/* Returns the thread's rank now; 0 if the thread is gone. Makes three system calls. */
uint8_t tm_rank_of(int tid);
#endif
