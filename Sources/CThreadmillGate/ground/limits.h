/* Sizes of the tables that more than one floor reads. */
#ifndef TM_LIMITS_H
#define TM_LIMITS_H
#include "ground/base.h"
#include "threadmill_gate.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  TM_HOLDS = 64,      /* locks that one thread holds at once; more are counted and not watched */
  TM_STACK = 64,      /* frames of a full stack */
  TM_WAYS = 4,        /* contexts in one set: a cache line */
  TM_CHOICE_BITS = 16,  /* the highest bits of a context; they choose its set */
  TM_DISPLACED = 256, /* contexts per thread that are recognised when they come back */
  TM_CALLERS = 64,    /* pages of calling code remembered per thread */
  TM_RECENT = 8,      /* stacks per thread that are recognised without a walk */
  TM_POOLS = 32,      /* thread pools that are told apart */
  TM_WORKS = 2,       /* kinds of work that are counted; see pools.h */
  TM_SLOTS = 1024,    /* threads that are alive at the same time */
};
#endif
