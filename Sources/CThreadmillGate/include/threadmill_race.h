/* Data races, as Thread Sanitizer reports them. */
#ifndef THREADMILL_RACE_H
#define THREADMILL_RACE_H
#include "threadmill_gate.h"

enum { TM_RACE_ACCESSES = 4, TM_RACE_THREADS = 8, TM_RACE_MUTEXES = 8, TM_RACE_NAME = 128 };

/* What made an access. */
typedef enum tm_race_work {
  TM_RACE_THREAD, /* a thread's own code, or work that the sanitizer does not tell from it */
  TM_RACE_BLOCK,
  TM_RACE_ITERATION, /* of an apply */
  TM_RACE_JOB,       /* of a Swift task */
} tm_race_work;

typedef struct tm_race_access {
  uint32_t thread;
  bool certain; /* the thread is known: it ran all work of this kind that the strand may be */
  tm_race_work work;
  uint32_t task;           /* the number of the Swift task; 0: unknown */
  const char *label;       /* of the queue that the work was submitted to; may be NULL */
  tm_stack_view submitted; /* where; may be empty */
  uint32_t scope; /* the test that it was made for; 0: unknown */
  uint64_t address;
  uint32_t size;
  bool writes, atomic;
  tm_stack_view stack;
} tm_race_access;

typedef struct tm_race_thread {
  uint32_t thread, creator; /* creator 0: unknown */
  bool is_main;
  char name[16];
  tm_stack_view created;
} tm_race_thread;

typedef enum tm_race_memory {
  TM_MEMORY_UNKNOWN,
  TM_MEMORY_HEAP,
  TM_MEMORY_GLOBAL,
  TM_MEMORY_STACK,
  TM_MEMORY_THREAD_LOCAL,
  TM_MEMORY_FILE,
} tm_race_memory;

typedef struct tm_race_mutex {
  tm_object_view object; /* id 0: the gate does not know it */
  uint64_t address;
  bool held_now;         /* by the thread of the first access */
  tm_stack_view created; /* as TSan knows it */
} tm_race_mutex;

struct tm_race {
  const char *description;                   /* TSan's name for the kind of race */
  tm_race_access accesses[TM_RACE_ACCESSES]; /* the reported one, then earlier ones */
  uint32_t access_count;
  tm_race_thread threads[TM_RACE_THREADS];
  uint32_t thread_count;
  tm_race_memory memory;
  uint64_t memory_start, memory_size;
  uint32_t memory_thread; /* the thread that has the stack, allocated it or opened the file */
  int32_t file;           /* its number */
  char memory_name[TM_RACE_NAME]; /* of a global; may be empty */
  tm_stack_view allocated;
  tm_race_mutex mutexes[TM_RACE_MUTEXES]; /* held at one of the accesses */
  uint32_t mutex_count;
  tm_stack_view slept;                  /* empty: no sleep comes between the two */
  uint32_t scope;                       /* of the reporting thread */
  uintptr_t submitted[TM_SITE];         /* where that thread's work was submitted */
  tm_object_view held[TM_RACE_MUTEXES]; /* by that thread, outermost first */
  uint32_t held_count;
  bool explored; /* in a schedule of an exploration */
};

/* Returns whether reports of Thread Sanitizer wait to be delivered. A thread of the gate's own
 * tells them at its next opportunity. */
bool tm_races_wait(void);
/* Tells the reports that wait. Called with the runtime's lock held; the caller has to deliver what
 * is promised meanwhile. */
void tm_races_tell(void);
/* The first returns the number of races told so far; the second says that the first `count` of them
 * were delivered, and whether one of those accuses the program. */
uint32_t tm_races_told(void);
void tm_races_settled(uint32_t count, bool accuses);
#endif
