/* Points: where the Observer may disturb a thread (jitter=…).
 *
 * Free when off: a point is asked for only on the way of a thread that attends to jitter. */
#ifndef TM_SHAKE_H
#define TM_SHAKE_H
#include "ground/thread.h"
#include "threadmill_shake.h"

/* Draws, notes and counts the strand's next disturbance at a point of this kind. */
tm_decision tm_shake_decide(tm_thread *, tm_point, const void *object, uintptr_t place);
/* Decides, and carries the decision out. `place`: that of the call or, when work begins, that of
 * its submission. */
void tm_shake_at(tm_thread *, tm_point, const void *object, uintptr_t place);
/* Delays the thread as decided, if the budget allows it and no strand waits for another one to
 * begin. */
void tm_shake_delay(tm_thread *, tm_decision);

/* Adds `more` to the number of this queue's blocks that were submitted under jitter and have not
 * begun. */
void tm_shake_due(const void *queue, int more);
/* The decision to sleep so many microseconds. */
TM_INLINE tm_decision tm_sleep_for(uint64_t microseconds) {
  return (tm_decision)(microseconds << TM_DECIDES_SHIFT) | TM_DECIDES_SLEEP;
}

/* The parts of a decision, in files of their own. `n` is the number of the point over all threads.
 */
typedef struct tm_shaker {
  tm_plan plan;
  uint32_t scope;
  atomic_bool on;
  atomic_uint generation; /* of all plans so far */
  uint64_t began;         /* as `tm_now` */
  atomic_ullong points;
  /* Strands of new places: begun so far; held now; held, and no other one has begun since. */
  atomic_uint begun, held, waiting;
  atomic_ullong release; /* when those that are held may go on */
  /* The window that is open. */
  atomic_ullong window_ends, window_salt, starved;
} tm_shaker;
tm_shaker *tm_shaker_of(tm_thread *);
tm_decision tm_shake_starve(tm_thread *, tm_shaker *, uint64_t n);
/* Waits for the end of the window that is open. */
void tm_shake_starve_delay(tm_thread *, tm_shaker *, tm_decision);
/* Returns whether the thread was delayed to the end: the budget allows it, and neither the plan nor
 * the process has ended. */
bool tm_shake_delay_by(tm_thread *, tm_shaker *, tm_decision);
tm_decision tm_shake_rank(tm_thread *, tm_shaker *, tm_point, uint64_t n);
/* Returns the number of times that the plan met this place before. */
uint32_t tm_shake_seen(const tm_shaker *, tm_point, uintptr_t place);
tm_decision tm_shake_near(tm_thread *, tm_shaker *, const void *object, uintptr_t place,
                          uint64_t hash);
/* Called after a delay there: lowers the place's weight if the delay had no effect. */
void tm_shake_near_over(tm_thread *, tm_shaker *, const void *object, uintptr_t place,
                        uint64_t since);
/* Notes that the thread uses the object, for the count of pairs. */
void tm_shake_uses(tm_thread *, const void *object);
#endif
