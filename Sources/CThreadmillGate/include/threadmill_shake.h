/* Jitter: what the gate is told to do to threads, and where. A plan is made in Swift from a policy
 * and a seed; the gate only carries it out. */
#ifndef THREADMILL_SHAKE_H
#define THREADMILL_SHAKE_H

#include <stdbool.h>
#include <stdint.h>

/* A point where the gate may disturb a thread. */
typedef enum tm_point {
  TM_POINT_BEFORE, /* an operation on an object */
  TM_POINT_AFTER,
  TM_POINT_BEGIN,    /* a block or a job is about to run the user's code */
  TM_POINT_START,    /* a new thread is about to run the user's code */
  TM_POINT_WAKE,     /* a wait has ended */
  TM_POINT_MEMORY,   /* a memory access; only if accesses are wrapped */
  TM_POINT_SPURIOUS, /* a wait for a condition begins, and may end at once, for no reason */
  TM_POINT_LATE,     /* a timer is set, and may come late */
  TM_POINTS
} tm_point;

/* The disturbance at a point: the kind in the two lowest bits, microseconds above; 0 for none. */
typedef uint32_t tm_decision;
enum { TM_DECIDES_NOTHING, TM_DECIDES_YIELD, TM_DECIDES_SPIN, TM_DECIDES_SLEEP };
enum { TM_DECIDES_SHIFT = 2 };

enum {
  TM_CHOICES = 512,
  TM_FRESH_CHOICES = 64,
  TM_MANNERS = 5,
  TM_WINDOWS = 48,
  TM_RANKS = 16,
  TM_CHANGES = 3
};

typedef struct tm_manner {
  tm_decision decisions[TM_POINTS][TM_CHOICES];
  bool starves, ranks, learns;
} tm_manner;

/* A time in which strands of some paths do not go on. */
typedef struct tm_window {
  uint64_t begins; /* at this point, counted over all threads */
  uint32_t microseconds;
  uint64_t salt;
} tm_window;

/* See `JitterPlan`, of which this is the image. */
typedef struct tm_plan {
  uint64_t seed;
  uint32_t budget; /* percent */
  uint32_t manner_count;
  tm_manner manners[TM_MANNERS];
  uint32_t fresh_times;
  tm_decision fresh[TM_POINTS][TM_FRESH_CHOICES];
  bool holds_threads; /* new threads are held as blocks are */
  uint32_t window_count, starved; /* of 256 strands */
  uint64_t window_period;
  tm_window windows[TM_WINDOWS];
  uint32_t rank_count, change_count;
  tm_decision ranks[TM_RANKS];
  uint64_t changes[TM_CHANGES];
  uint32_t near_close, near_delay, near_keeps; /* microseconds, microseconds, percent */
} tm_plan;

/* Uses a copy of the plan, from now on, for all code that works for this scope; scope 0: for all
 * code that no other plan is for. The calling thread counts its points from the beginning. */
void tm_shake(const tm_plan *plan, uint32_t scope);
void tm_shake_end(uint32_t scope);

/* Returns whether a plan is in use. */
bool tm_is_shaking(void);

/* Returns how many distinct pairs of strands used an object one right after the other. Objects that
 * one stack made count as one. */
uint32_t tm_shake_thread_pairs(void);

/* Places at which threads came close to each other. The weight is the probability of a delay there,
 * in 256ths. */
typedef void (*tm_near_visitor)(uintptr_t place, uint32_t weight, void *context);
void tm_shake_near_each(tm_near_visitor visit, void *context);
void tm_shake_near_add(uintptr_t place, uint32_t weight);

/* Converts a place to a name that holds in every run, and back: an image's file name (empty for the
 * program) and an offset. They return false, or 0, if there is no such image now. */
bool tm_place_named(uintptr_t place, const char **image, uint64_t *offset);
uintptr_t tm_place_at(const char *image, uint64_t offset);

/* One decision as it was drawn, whether or not the budget let it be carried out. */
typedef struct tm_shaken {
  uint64_t path;
  uint32_t index; /* the strand's own count */
  tm_point point;
  tm_decision decision;
} tm_shaken;
/* For tests: writes the decisions to come into `room`, up to `limit`. */
void tm_shake_record(tm_shaken *room, uint32_t limit);
uint32_t tm_shake_recorded(void);

#endif
