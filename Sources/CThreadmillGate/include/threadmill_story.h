/* Describes the flows of an exploration for people: the identity of each, its place and its next
 * step. Called while a schedule runs again to be told. */
#ifndef THREADMILL_STORY_H
#define THREADMILL_STORY_H

#include "threadmill_control.h"
#include "threadmill_gate.h"

enum { TM_FLOW_STACK = 64, TM_FLOW_NAME = 16, TM_FLOW_FILE = 24 };

typedef struct tm_flow_view {
  uint32_t number;
  uint8_t kind;            /* tm_step_kind: what it is about to do */
  bool has_begun;          /* it stands at a point; otherwise it is on its way */
  bool can_go_on;          /* as things are now */
  bool is_thread;          /* of the user's; otherwise a block or a job */
  bool is_job;             /* of the Swift runtime */
  bool is_yield;           /* the part of `Task.yield` that makes the task go on */
  uint32_t task;           /* the Swift task whose job it is; 0: unknown, or none */
  int32_t joined;          /* the number of the flow whose end it waits for; -1: of none */
  char name[TM_FLOW_NAME]; /* a thread's own */
  const char *label;       /* of the queue that it was submitted to; NULL: it has none */
  const void *at;          /* the object of that step; NULL: none */
  char file[TM_FLOW_FILE]; /* the file of that step, such as "eventfd 5"; empty: it is on none */
  bool is_main;            /* the object is the main queue, or the main actor */
  tm_object_view object;   /* id 0: the gate does not know it */
  uint32_t stack_count;    /* of its place or, before it begins, its submission */
  uintptr_t stack[TM_FLOW_STACK];
} tm_flow_view;

/* Called by the thread that has the baton, inside the harness. Texts stay valid until the flow goes
 * on. */
typedef void (*tm_flow_listener)(const tm_flow_view *, void *context);
/* Describes the flow with this number, unless it is over. Takes tens of microseconds. */
void tm_flow_describe(uint32_t number, tm_flow_listener, void *context);
/* Describes every flow that is not over, in order of their numbers. */
void tm_flows_describe(tm_flow_listener, void *context);

/* Describes the tasks of this schedule that are suspended. May be called after the last step of the
 * schedule, before the next one begins. */
typedef void (*tm_suspended_listener)(const tm_suspended_view *, void *context);
void tm_suspended_describe(tm_suspended_listener, void *context);

#endif
