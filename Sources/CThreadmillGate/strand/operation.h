/* An operation: what an interposed call does, to which object, from where. */
#ifndef TM_OPERATION_H
#define TM_OPERATION_H
#include "threadmill_views.h"

struct tm_inversion;

typedef enum tm_action {
  TM_ACQUIRE,       /* waits until it has the object */
  TM_ACQUIRE_TIMED, /* waits, but not for ever: never part of a deadlock, no order into the object
                     */
  TM_TRY,           /* does not wait */
  TM_RELEASE,
  TM_CREATE,
  TM_DESTROY,
  TM_SIGNAL, /* leaves a stamp that a waiter picks up */
  TM_WAIT,   /* waits for an object that has no holder */
  TM_SLEEP,
} tm_action;

/* The content of a prepared hold's place before, and the thread's sequence number then. */
typedef struct tm_prepared {
  unsigned sequence;
  uint8_t kind;
  const void *object;
} tm_prepared;

typedef struct tm_operation {
  tm_action action;
  tm_kind kind;
  tm_mode mode;
  int result; /* the call's result; a driver that keeps the real call from running sets it */
  const void *object;
  void *frame; /* of the interposed function: where stacks begin */
  uintptr_t site[TM_SITE];
  uint64_t context; /* of the hold to come; 0: not known yet */
  uint64_t since;   /* when the wait of the main thread began; 0: not asked */
  struct tm_inversion *inversion; /* the other side of its wait; NULL: none so far */
  bool again;                     /* a recursive lock that this thread has: no new hold */
  bool orders;                    /* a library's own lock that hands something over */
  bool reads;       /* a library's own lock, taken to read a state: passes nothing on */
  bool states;      /* code of Foundation's operations calls, for a lock that guards their states */
  bool foundations; /* one of Foundation's lock classes calls for the user */
  bool polls;       /* a wait whose time limit is over at once */
  bool bounded;     /* waits no longer than some time */
  bool pretended;   /* continue=true: the real function is not called */
  bool removed;     /* the release removed a hold, which comes back if the real release fails */
  bool prepared;    /* the hold to come is written */
  tm_prepared before;
} tm_operation;
#endif
