/* A report as Thread Sanitizer gave it, and the view that is made of it. */
#ifndef TM_RACE_REPORT_H
#define TM_RACE_REPORT_H
#include "ground/limits.h"
#include "strand/part.h"
#include "threadmill_gate.h"
#include "threadmill_race.h"
#include "threadmill_views.h"

enum { TM_RACE_FRAMES = TM_STACK, TM_RACE_THREAD_NAME = 16 };

typedef struct tm_race_trace {
  uint32_t count, scope;
  uint32_t work; /* the number of the work that a strand did (strand/errand.h); 0: unknown */
  bool explored; /* of a schedule of an exploration */
  uintptr_t addresses[TM_RACE_FRAMES];
} tm_race_trace;

typedef struct tm_raw_access {
  int thread, size, writes, atomic;
  void *address;
  tm_race_trace stack;
} tm_raw_access;

typedef struct tm_raw_thread {
  int number, creator; /* TSan's */
  bool watched;
  uint32_t known; /* the gate's; of a fibre, unknown */
  int fibre;      /* its number; -1: a thread */
  uint32_t known_creator, place;
  char name[TM_RACE_THREAD_NAME];
  tm_race_trace created;
} tm_raw_thread;

typedef struct tm_raw_mutex {
  void *address;
  tm_race_trace created;
} tm_raw_mutex;

/* A report as TSan gave it. */
typedef struct tm_race_report {
  const char *description;
  tm_raw_access accesses[TM_RACE_ACCESSES];
  tm_raw_thread threads[TM_RACE_THREADS];
  tm_raw_mutex mutexes[TM_RACE_MUTEXES];
  int access_count, thread_count, mutex_count;
  tm_race_memory memory;
  void *global;
  unsigned long start, size;
  int memory_thread, file;
  tm_race_trace allocated, slept;
  uint32_t reporter; /* the thread that made the first access; 0: unknown */
  uint32_t scope;
  uintptr_t submitted[TM_SITE];
  tm_hold held[TM_RACE_MUTEXES];
  uint32_t held_count;
} tm_race_report;

/* Returns whether the memory belongs to the thread that reports, and strands of that thread made
 * both accesses one after the other: then their thread orders them. If that cannot be told, the
 * answer is yes. Counts both. Called in TSan's callback. */
bool tm_race_is_threads_own(const tm_race_report *);
/* Fills in the view of a report that goes up; it points into the report. */
void tm_race_view(const tm_race_report *, tm_race *view);
#endif
