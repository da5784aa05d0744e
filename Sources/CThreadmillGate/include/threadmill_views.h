/* Views: what the gate shows Swift of objects, stacks and threads. A view and everything that it
 * points to are valid during one up-call. */
#ifndef THREADMILL_VIEWS_H
#define THREADMILL_VIEWS_H

#include <stdbool.h>
#include <stdint.h>

/* Swift imports an enum with this attribute as one of its own. The gate alone makes the values. */
#define TM_CLOSED __attribute__((enum_extensibility(closed)))

typedef enum tm_kind {
  TM_MUTEX,
  TM_RECURSIVE_MUTEX,
  TM_RWLOCK,
  TM_SPIN,
  TM_SEMAPHORE,
  TM_CONDITION,
  TM_GROUP,
  TM_SERIAL_QUEUE,
  TM_CONCURRENT_QUEUE,
  TM_THREAD,
  TM_TASK_STATUS_LOCK,
  TM_SWIFT_MUTEX,
  TM_ONCE,
  TM_ACTOR,
  TM_OPERATION,
  TM_CONTINUATION,
  TM_TASK,
  TM_SOURCE,
  TM_WORK_ITEM,
  TM_CONFINED
} tm_kind;

typedef enum tm_mode { TM_EXCLUSIVE, TM_SHARED } tm_mode;

enum { TM_SITE = 4 };

/* One object, as held or wanted by a thread. */
typedef struct tm_object_view {
  uint64_t id; /* never reused; for a thread: its number */
  uint64_t address;
  tm_kind kind;
  tm_mode mode;
  bool fresh;               /* the first time that this instance goes up */
  bool main_queue;          /* it is libdispatch's main queue */
  const char *label;        /* a queue's; may be NULL */
  const uintptr_t *created; /* return addresses, innermost first */
  uint32_t created_count;
  uintptr_t site[TM_SITE]; /* where it was taken: the innermost return addresses, 0 if unknown */
} tm_object_view;

/* The submitted work that a thread runs: a block or a job, and the queues it was submitted to. */
enum { TM_RUNS_QUEUES = 8 };
typedef struct tm_runs_view {
  uint32_t queue_count;
  tm_object_view group; /* the group that it belongs to; id 0: none */
  uint8_t root;         /* the quality of service of the global queue at the end; 0: unknown */
  bool job;             /* of the Swift runtime; the next three fields are about jobs */
  bool pooled;          /* it runs on the threads of Swift's tasks */
  uint8_t priority;     /* 0: unknown */
  uint32_t task;        /* its identifier in this process; 0: unknown */
  tm_object_view queues[TM_RUNS_QUEUES]; /* the queue that it was submitted to, its target, … */
} tm_runs_view;

/* One thread at one moment. */
typedef struct tm_thread_view {
  uint32_t thread;
  char name[16];
  uint64_t strand;
  uint32_t slot, time;
  const uint32_t *knowledge;
  uint32_t knowledge_count;
  uint32_t scope;  /* the test that it works for; 0: unknown */
  uint8_t quality; /* the strand's quality of service, as libdispatch numbers it; 0: unknown */
  uintptr_t submitted[TM_SITE]; /* where the strand was submitted; 0 if unknown */
  const tm_runs_view *runs;     /* NULL: a thread's own code, or unknown */
  const uintptr_t *stack;       /* return addresses, innermost first */
  uint32_t stack_count;
  const tm_object_view *held; /* outermost first */
  uint32_t held_count;
  tm_object_view wanted; /* id 0: nothing */
  bool past; /* some of these objects are gone: of a nesting, only their classes count */
} tm_thread_view;

typedef struct tm_stack_view {
  const uintptr_t *addresses; /* innermost first */
  uint32_t count;
  uint32_t thread; /* whose; 0: unknown */
} tm_stack_view;

/* What a suspended Swift task waits for. */
typedef enum TM_CLOSED tm_awaited {
  TM_AWAITS_UNKNOWN,
  TM_AWAITS_TASK,         /* the end of another task */
  TM_AWAITS_CONTINUATION, /* the resumption of a continuation */
  TM_AWAITS_GROUP,        /* the tasks of its task group */
  TM_AWAITS_ACTOR,        /* its turn on an actor */
  TM_AWAITS_THREAD,       /* a thread, or its turn on an executor */
} tm_awaited;

/* One suspended task of Swift. */
typedef struct tm_suspended_view {
  const void *address;
  uint32_t task;   /* its number in this process */
  uint32_t parent; /* the task in whose group it is; 0: none */
  uint32_t scope;  /* the test that it works for, if that runs; else 0 */
  bool root;       /* it is the test itself, or the body of the exploration */
  bool users;      /* it awaits a continuation that the user's code has made */
  tm_awaited awaited;
  uint32_t on;           /* TASK: the number of the awaited task; 0: unknown */
  tm_object_view object; /* CONTINUATION, ACTOR; id 0: unknown */
  tm_stack_view place;   /* where it goes on */
  tm_stack_view created; /* where it was started; empty if unknown */
} tm_suspended_view;

#endif
