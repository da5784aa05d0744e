/* Run loops under control. */
#ifndef TM_CONTROL_RUN_LOOPS_H
#define TM_CONTROL_RUN_LOOPS_H
#include "ground/base.h"
#include "control/model.h"

/* The result of a run, as CoreFoundation has it. */
typedef enum tm_loop_end {
  TM_LOOP_GOES_ON = 0,
  TM_LOOP_STOPPED = 2,
  TM_LOOP_TIMED_OUT = 3,
  TM_LOOP_HANDLED = 4
} tm_loop_end;

/* A run of a run loop, from the call to its return. CoreFoundation's own function runs it, for good
 * as far as that knows. */
typedef struct tm_loop_run {
  const void *loop;
  void (*stop)(const void *loop); /* ends the run; called in its waits */
  uint64_t due;                   /* 0: never */
  uintptr_t place;
  bool main;    /* the main queue's work runs while the run waits */
  bool once;    /* the run ends when that work has run */
  bool patient; /* XCTest asks again and again; see `end_of_wait` */
  tm_loop_end end; /* why `stop` was called */
  struct tm_loop_run *outer;
} tm_loop_run;

/* Begins a run of the flow's that may take so many seconds; ends it. The caller is a flow. */
void tm_control_enters_run_loop(tm_loop_run *, double seconds);
void tm_control_leaves_run_loop(const tm_loop_run *);
/* Tells whether the flow's next run is one of XCTest's. */
void tm_control_is_patient(bool);
/* If the wait for this file is that of a run loop, waits. Returns false if it is not. */
bool tm_run_loop_waits(tm_seat *, int file, bool may_wait);
/* Returns whether the flow is on the main queue, and no run of the main loop waits: then the flow
 * does what is outside of that queue on the main thread. */
bool tm_control_is_outermost(void);

/* The flow waits for a while of virtual time, as in a run loop, or until it is stopped. If the flow
 * is on the main queue, other work of that queue runs meanwhile. */
void tm_control_waits_in_run_loop(const void *loop, uint64_t nanoseconds, uintptr_t place);
/* Ends each such wait in the loop. Returns whether a flow is in a run of the loop. */
bool tm_control_stops_run_loop(const void *loop);
#endif
