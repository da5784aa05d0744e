/* Points: where the Observer may disturb a thread (jitter=…).
 *
 * Free when off: a point is asked for only on the way of a thread that attends to jitter. */
#ifndef TM_SHAKE_H
#define TM_SHAKE_H
#include "attention.h"
#include "caller.h"
#include "threadmill_shake.h"

/* The same for a thread that is a seat of an exploration. */
void tm_control_at(tm_thread *, tm_point, const void *object);
/* What a strand does next at a point of this kind: drawn, noted, and counted. */
tm_decision tm_shake_decide(tm_thread *, tm_point, const void *object, uintptr_t place);
/* The same, and done. `place`: of the call, or of the submission of what begins. */
void tm_shake_point(tm_thread *, tm_point, const void *object, uintptr_t place);
/* Delays the thread as decided, if the budget allows it. Returns whether it did. */
bool tm_shake_delay(tm_thread *, tm_decision);

/* Only what the user's code does itself is disturbed; of Foundation's, what it does at once for a
 * caller. */
TM_INLINE bool tm_is_users_own(tm_caller who) { return (who & ~TM_CALLER_FLAGS) == TM_CALLER_USER; }
TM_INLINE void tm_point_at(tm_thread *t, tm_caller who, tm_point point, const void *object,
                           uintptr_t place) {
  if (TM_UNLIKELY(tm_is_shaken(t)) && tm_is_users_own(who)) tm_shake_point(t, point, object, place);
}

/* In an interposed function that does something to `object`: a point of this kind of the user's. */
#define TM_POINT(t, kind, object) \
  tm_point_at(t, tm_who, TM_POINT_##kind, object, (uintptr_t)__builtin_return_address(0))

/* The path of what this strand submits, makes or starts now; 0 where nobody is disturbed. It is
 * made of the strand's own path and the number among its children, so that no address and no other
 * thread has a part in it. */
uint64_t tm_shake_child(tm_thread *);
TM_INLINE uint64_t tm_path_of_child(tm_thread *t) {
  return TM_UNLIKELY(tm_is_jittered(t)) ? tm_shake_child(t) : 0;
}
/* So many more blocks of this queue have been submitted under jitter and not begun. */
void tm_shake_due(const void *queue, int more);
/* One name for a place of submission. */
uintptr_t tm_shake_place(const uintptr_t site[TM_SITE]);
/* A strand begins the user's code. */
TM_INLINE void tm_point_begin(tm_thread *t, const uintptr_t site[TM_SITE]) {
  if (TM_UNLIKELY(tm_is_shaken(t))) tm_shake_point(t, TM_POINT_BEGIN, NULL, tm_shake_place(site));
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
  /* Blocks of a place that is new: so far; held now; held until another one begins. */
  atomic_uint begun, held, waiting;
  /* The window that is open. */
  atomic_ullong window_ends, window_salt, starved;
} tm_shaker;
tm_shaker *tm_shaker_of(tm_thread *);
uint64_t tm_scramble(uint64_t);
tm_decision tm_shake_starve(tm_thread *, tm_shaker *, uint64_t n);
/* Waits for the end of the window that is open. */
void tm_shake_starve_delay(tm_thread *, tm_shaker *, tm_decision);
bool tm_shake_delay_by(tm_thread *, tm_shaker *, tm_decision);
tm_decision tm_shake_rank(tm_thread *, tm_shaker *, tm_point, uint64_t n);
/* How often this place was seen under the plan; the first time 0. */
uint32_t tm_shake_seen(const tm_shaker *, tm_point, uintptr_t place);
tm_decision tm_shake_near(tm_thread *, tm_shaker *, const void *object, uintptr_t place,
                          uint64_t hash);
/* The delay there is over: was it for something? */
void tm_shake_near_over(tm_thread *, tm_shaker *, const void *object, uintptr_t place,
                        uint64_t since);
/* The thread uses the object: for the count of pairs. */
void tm_shake_uses(tm_thread *, const void *object);
#endif
