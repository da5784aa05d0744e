/* The seam between gate and driver. Every interposed function describes its call as an operation,
 * asks `tm_before` whether the real function is to be called, calls it, and reports with
 * `tm_after`.
 *
 * The Observer is compiled into the seam: it always lets the real function run, but for the two
 * certain re-entries with `continue=true`. What waits in more than one step (conditions, joins,
 * semaphores, sync and async) has begin and end functions of its own beside the seam; a second
 * driver has to be asked there, too. */
#ifndef TM_OPERATION_H
#define TM_OPERATION_H
#include "base.h"
#include "caller.h"
#include "object.h"
#include "rank.h"
#include "real.h"
#include "stack.h"
#include "state.h"
#include "workers.h"
#include <errno.h>

typedef enum tm_action {
  TM_ACQUIRE,       /* waits until it has the object */
  TM_ACQUIRE_TIMED, /* waits, but not for ever: never part of a deadlock, no order into the object
                     */
  TM_TRY,           /* does not wait */
  TM_RELEASE,
  TM_CREATE,
  TM_DESTROY,
  TM_SIGNAL, /* leaves a stamp that a waiter picks up */
  TM_WAIT,   /* waits for something that nobody holds */
  TM_SLEEP,
} tm_action;

typedef struct tm_operation {
  tm_action action;
  const void *object;
  tm_kind kind;
  tm_mode mode;
  void *frame; /* of the interposed function: where stacks begin */
  uintptr_t site[TM_SITE];
  bool again;       /* a recursive lock that this thread has: no new hold */
  bool orders;      /* a library's own lock that hands something over */
  bool polls;       /* a wait that does not wait */
  uint64_t context; /* of the hold to come; 0: not known yet */
  bool prepared;    /* the hold to come is written, at this sequence number of the thread */
  unsigned sequence;
  const void *displaced; /* what the place of the prepared hold showed before */
  uint8_t displaced_kind;
  bool pretended; /* continue=true: the real function is not called */
  int result;     /* what the caller gets; a driver that keeps the real call from running sets it */
  bool removed;   /* a release that took a hold away, to be given back if the real one fails */
  uint64_t since; /* when the wait of the main thread began; 0: not asked */
  bool bounded;   /* waits no longer than some time */
  struct tm_inversion *inversion; /* of the wait that it makes; NULL: none so far */
} tm_operation;

/* The thread's state if the call is to be watched, NULL if it has to pass straight through. */
TM_INLINE tm_thread *tm_users_call(void *return_address, tm_caller *caller) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t) && !(t = tm_thread_attach())) return NULL;
  if (TM_UNLIKELY(t->special != 0) && !(t = tm_thread_special(t))) return NULL;
  *caller = tm_caller_of(t, return_address);
  return *caller <= TM_CALLER_RUNTIME ? t : NULL;
}

/* The same for a call that can be profiled or disturbed: the caller then has the flags for it. */
tm_thread *tm_special_call(tm_thread *, void *return_address, tm_caller *caller);
TM_INLINE tm_thread *tm_users_operation(void *return_address, tm_caller *caller) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t) && !(t = tm_thread_attach())) return NULL;
  if (TM_UNLIKELY(t->special != 0)) {
    tm_caller found; /* so that the caller's own can stay in a register */
    t = tm_special_call(t, return_address, &found);
    *caller = found;
    return t;
  }
  *caller = tm_caller_of(t, return_address);
  return *caller <= TM_CALLER_RUNTIME ? t : NULL;
}

/* A profiled call between its two ends. */
struct lock_class;
typedef struct tm_profiled {
  struct lock_class *lock_class; /* NULL: not profiled */
  uint64_t moment;               /* when the wait began; when the hold ended */
  uint64_t mark;                 /* of the hold that a release ends */
  uint32_t held;                 /* how much the thread held before */
  bool contended;
} tm_profiled;
/* `tm_before`, `tm_hold_prepare` and `tm_after` with a record of how long things take. */
bool tm_profile_before(tm_thread *, tm_operation *, tm_profiled *);
void tm_profile_after(tm_thread *, tm_operation *, tm_profiled *, bool succeeded);

/* The same for the flags of the caller, with the points around. */
bool tm_special_before(tm_thread *, tm_operation *, tm_caller, tm_profiled *);
void tm_special_after(tm_thread *, tm_operation *, tm_caller, tm_profiled *, bool succeeded);
/* In a steered process (see threadmill_steer.h), before the thread says that it waits for the
 * operation's object. Returns when it may go on: at once, if this is no edge of the cycle. */
void tm_steer(tm_thread *, const tm_operation *);

/* After `tm_users_call` with a caller that was TM_CALLER_USER before: whether the call was passed
 * by because a library made it for itself, not because of the state of the thread. */
TM_INLINE bool tm_is_librarys(const tm_thread *t, tm_caller caller) {
  return !t && caller > TM_CALLER_RUNTIME;
}

/* Slow parts, each for something that was not seen before. */
bool tm_nested(tm_thread *, tm_operation *);
void tm_about_to_block(tm_thread *, tm_operation *);
void tm_inversion_begin(tm_thread *, tm_operation *);
void tm_inversion_end(tm_thread *, tm_operation *);
void tm_ordered_section_begins(tm_thread *, const tm_operation *);
/* Whether the thread really owns what its hold says: a mutex that another thread unlocked is not
 * its own any more. */
bool tm_still_owns(const tm_thread *, const tm_hold *);
uint64_t tm_main_wait_begin(void);
void tm_main_wait_over(tm_thread *, const tm_operation *);
void tm_released_elsewhere(tm_thread *, tm_operation *);
/* A release that seems to be a library's own: functions that end in a jump to it make it look so.
 * The thread if it holds the object, else NULL. */
tm_thread *tm_holder(const void *object);
/* For a call by Foundation or by the Swift concurrency runtime, whether it is to be watched: of
 * Foundation's, those of NSLock and its like; of the runtime's, the task status lock, which is
 * named here. */
bool tm_is_watched(tm_thread *, tm_operation *, tm_caller);
/* The runtime's other locks, and those of operations, guard the hand-over of values and states:
 * they order what is before one section and after the next. Foundation's others are passed by
 * chance. */
void tm_runtime_releases(tm_thread *, const tm_operation *);
void tm_runtime_acquired(tm_thread *, const tm_operation *);

/* Says that `held` or `wait` changed. Only the thread itself does. */
TM_INLINE void tm_changed(tm_thread *t) {
  unsigned sequence = atomic_load_explicit(&t->sequence, memory_order_relaxed);
  atomic_store_explicit(&t->sequence, sequence + 1, memory_order_release);
}

TM_INLINE void tm_wait_begin(tm_thread *t, const tm_operation *op, bool timed) {
  t->wait.kind = op->kind;
  t->wait.mode = op->mode;
  t->wait.timed = timed;
  t->wait.bounded = op->bounded;
  t->wait.frame = op->frame;
  atomic_store_explicit(&t->wait.object, op->object, memory_order_relaxed);
  tm_changed(t);
}

TM_INLINE void tm_wait_end(tm_thread *t) {
  atomic_store_explicit(&t->wait.object, NULL, memory_order_relaxed);
  tm_changed(t);
}

/* Names the context "holding what this thread holds, about to take this": equal contexts are told
 * apart from new ones by one look-up. Generations make a name die with any of its locks. */
TM_INLINE uint64_t tm_context(const tm_thread *t, const void *object, tm_mode mode) {
  uint64_t top = t->held_count ? t->held[t->held_count - 1].context : t->number;
  uint32_t generation = atomic_load_explicit(tm_generation(object), memory_order_relaxed);
  return tm_mix(tm_mix(top, (uintptr_t)object | mode), generation >> 1);
}

TM_INLINE bool tm_is_new_context(const tm_thread *t, uint64_t context) {
  const tm_seen *seen = &t->seen[context >> 52];
  return seen->context != context || TM_UNLIKELY(seen->epoch != t->epoch && seen->left != 0);
}

TM_INLINE bool tm_is_new(const tm_thread *t, const void *object, tm_mode mode) {
  return tm_is_new_context(t, tm_context(t, object, mode));
}

/* Writes the place above the last hold. Who looks there with an old count from another thread finds
 * the sequence moved on. */
TM_INLINE void tm_hold_write(tm_thread *t, const tm_operation *op, uint8_t flags) {
  tm_hold *h = &t->held[t->held_count];
  uint64_t context = op->context ? op->context : tm_context(t, op->object, op->mode);
  h->object = op->object;
  h->context = context;
  tm_site_copy(h->site, op->site);
  h->kind = op->kind;
  h->mode = op->mode;
  h->flags = flags;
  h->again = 0;
}

TM_INLINE void tm_hold_push(tm_thread *t, const tm_operation *op, uint8_t flags) {
  if (TM_UNLIKELY(t->held_count == TM_HOLDS)) {
    tm_count_one(TM_HOLDS_DROPPED);
    tm_changed(t);
    return;
  }
  tm_hold_write(t, op, flags);
  t->held_count++;
  tm_changed(t);
}

/* Writes the hold to come before the lock is taken, so that little is left to do under it. The
 * sequence number comes first: a signal handler that uses the same place meanwhile moves it on. */
TM_INLINE void tm_hold_prepare(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(op->again || t->held_count == TM_HOLDS)) return;
  op->sequence = atomic_load_explicit(&t->sequence, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  op->displaced = t->held[t->held_count].object;
  op->displaced_kind = t->held[t->held_count].kind;
  tm_hold_write(t, op, 0);
  op->prepared = true;
}

TM_INLINE bool tm_hold_is_prepared(const tm_thread *t, const tm_operation *op) {
  return op->prepared && atomic_load_explicit(&t->sequence, memory_order_relaxed) == op->sequence;
}

/* The lock was not taken: the place shows the last hold removed again. */
TM_INLINE void tm_hold_unprepare(tm_thread *t, const tm_operation *op) {
  if (!tm_hold_is_prepared(t, op)) return;
  t->held[t->held_count].object = op->displaced;
  t->held[t->held_count].kind = op->displaced_kind;
}

/* The innermost hold of the object, or NULL. */
TM_INLINE tm_hold *tm_hold_find(tm_thread *t, const void *object) {
  for (uint32_t i = t->held_count; i-- > 0;)
    if (t->held[i].object == object) return &t->held[i];
  return NULL;
}

void tm_hold_remove_inner(tm_thread *, tm_hold *);

TM_INLINE void tm_hold_remove(tm_thread *t, tm_hold *h) {
  tm_changed(t);
  if (TM_LIKELY(h == &t->held[t->held_count - 1])) {
    t->held_count--;
    return;
  }
  tm_hold_remove_inner(t, h);
}

/* Whether anybody could be waiting for this thread: for what it holds, or for its end. Asked first,
 * because a look at a contended lock costs a cache line. */
TM_INLINE bool tm_can_deadlock(const tm_thread *t) {
  return t->held_count != 0 || atomic_load_explicit(&tm_joiners, memory_order_relaxed) != 0;
}

/* Whether a wait of this thread could be told of: nothing is below background, and what nobody
 * chose is below nothing. Where the program ranks its threads, everything can. */
TM_INLINE bool tm_can_be_inverted(const tm_thread *t) {
  return t->origin.quality > TM_BACKGROUND || TM_UNLIKELY(tm_is_ranked());
}

/* Whether somebody seems to have it now. Reads what glibc publishes in its own headers; a wrong
 * answer costs time only. */
TM_INLINE bool tm_looks_taken(const tm_operation *op) {
  switch (op->kind) {
  case TM_MUTEX:
  case TM_TASK_STATUS_LOCK: return ((const pthread_mutex_t *)op->object)->__data.__lock != 0;
  case TM_RWLOCK: return ((const pthread_rwlock_t *)op->object)->__data.__readers != 0;
  default: return true;
  }
}

TM_INLINE bool tm_before(tm_thread *t, tm_operation *op) {
  switch (op->action) {
  case TM_ACQUIRE:
    op->context = tm_context(t, op->object, op->mode); /* before the lock, not under it */
    if (t->held_count && TM_UNLIKELY(tm_is_new_context(t, op->context))) {
      if (!tm_nested(t, op)) return false;
      op->context = 0; /* what only seemed to be held may be gone */
    }
    tm_wait_begin(t, op, false);
    if ((tm_can_deadlock(t) || tm_can_be_inverted(t) || t->workers) &&
        TM_UNLIKELY(tm_looks_taken(op))) {
      tm_may_starve(t);
      tm_about_to_block(t, op);
    }
    return true;
  case TM_ACQUIRE_TIMED:
    op->bounded = true;
    /* fallthrough */
  case TM_WAIT:
    tm_wait_begin(t, op, true);
    tm_may_starve(t);
    if (TM_UNLIKELY(t->is_main)) op->since = tm_main_wait_begin();
    if (TM_UNLIKELY(tm_can_be_inverted(t))) tm_inversion_begin(t, op);
    return true;
  case TM_RELEASE: {
    tm_hold *h = tm_hold_find(t, op->object);
    if (TM_UNLIKELY(!h)) {
      tm_released_elsewhere(t, op);
      return true;
    }
    if (TM_UNLIKELY(h->again)) {
      h->again--;
      return true;
    }
    if (TM_UNLIKELY(h->flags & TM_HOLD_PRETENDED)) op->pretended = true;
    op->removed = true;
    tm_hold_remove(t, h);
    return !op->pretended;
  }
  case TM_SIGNAL: tm_object_leave_stamp(t, op->object, op->kind); return true;
  case TM_DESTROY: tm_object_died(t, op->object); return true;
  default: return true;
  }
}

TM_INLINE void tm_acquired(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(atomic_load_explicit(tm_generation(op->object), memory_order_relaxed) & 1))
    tm_ordered_section_begins(t, op);
  if (TM_LIKELY(tm_hold_is_prepared(t, op))) {
    t->held_count++;
    tm_changed(t);
    return;
  }
  tm_hold *h;
  if (TM_UNLIKELY(t->held_count && (op->again || op->action != TM_ACQUIRE)) &&
      (h = tm_hold_find(t, op->object)) && !op->pretended) {
    h->again++;
    tm_changed(t);
    return;
  }
  tm_hold_push(t, op, op->pretended ? TM_HOLD_PRETENDED : 0);
}

TM_INLINE void tm_after(tm_thread *t, tm_operation *op, bool succeeded) {
  switch (op->action) {
  case TM_ACQUIRE:
  case TM_ACQUIRE_TIMED:
    if (TM_UNLIKELY(!succeeded)) tm_hold_unprepare(t, op);
    atomic_store_explicit(&t->wait.object, NULL, memory_order_relaxed);
    /* In this order: nobody may see a thread that waits for what it has. */
    atomic_signal_fence(memory_order_seq_cst);
    if (TM_UNLIKELY(op->inversion != NULL)) tm_inversion_end(t, op);
    if (TM_UNLIKELY(!succeeded)) return tm_changed(t);
    tm_acquired(t, op);
    return;
  case TM_TRY:
    if (succeeded) tm_acquired(t, op);
    return;
  case TM_WAIT:
    tm_wait_end(t);
    if (TM_UNLIKELY(op->since != 0)) tm_main_wait_over(t, op);
    if (TM_UNLIKELY(op->inversion != NULL)) tm_inversion_end(t, op);
    if (succeeded) tm_object_take_stamp(t, op->object);
    return;
  case TM_RELEASE:
    if (TM_UNLIKELY(!succeeded) && op->removed) tm_hold_push(t, op, 0);
    return;
  case TM_CREATE:
    if (succeeded) tm_object_born(t, op->object, op->kind, 0, op->frame);
    return;
  default: return;
  }
}

/* The plain release: of the innermost hold, really taken and taken once. The thread without that
 * hold, or NULL if it is not that plain. Who calls does not matter: only what is the user's is
 * held. */
TM_INLINE tm_thread *tm_release_plainly(const void *object) {
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t || t->special || !t->held_count)) return NULL;
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_hold *h = &t->held[t->held_count - 1];
  if (TM_UNLIKELY(h->object != object || h->again || h->flags)) return NULL;
  tm_hold_remove(t, h);
  return t;
}
/* The real release failed: it is held as before. */
void tm_release_failed(tm_thread *, const void *object, tm_kind, void *frame);

/* A mutex call returns 0 or, with the lock taken, EOWNERDEAD. */
TM_INLINE bool tm_took(int result) { return TM_LIKELY(result == 0) || result == EOWNERDEAD; }

/* The body of an interposed function with this name and these arguments: user's call? – before –
 * real – after. */
#define TM_INTERPOSED(name, arguments, act, what, its_kind, its_mode)                             \
  TM_INTERPOSED_AT(__builtin_frame_address(0), __builtin_return_address(0), name, arguments, act, \
                   what, its_kind, its_mode)
/* The assumptions: slow parts are given the operation, and the compiler cannot know that they leave
 * the action as it is; what follows the real function is done under the lock. */
#define TM_INTERPOSED_AT(its_frame, returns_to, name, arguments, act, what, its_kind, its_mode) \
  tm_caller tm_who;                                                                             \
  tm_operation op = {                                                                           \
      .action = act, .object = what, .kind = its_kind, .mode = its_mode, .frame = its_frame};   \
  tm_thread *t = tm_users_operation(returns_to, &tm_who);                                       \
  if (act == TM_RELEASE && TM_UNLIKELY(!t)) t = tm_holder(op.object);                           \
  if (!t) return TM_REAL(name) arguments;                                                       \
  tm_site_take_near(t, op.frame, op.site);                                                      \
  if (TM_UNLIKELY(tm_who != TM_CALLER_USER)) {                                                  \
    if (!tm_is_watched(t, &op, tm_who)) {                                                       \
      tm_runtime_releases(t, &op);                                                              \
      op.result = TM_REAL(name) arguments;                                                      \
      tm_runtime_acquired(t, &op);                                                              \
      return op.result;                                                                         \
    }                                                                                           \
    if (tm_who & TM_CALLER_FLAGS) {                                                             \
      tm_profiled profiled;                                                                     \
      if (tm_special_before(t, &op, tm_who, &profiled)) op.result = TM_REAL(name) arguments;    \
      tm_special_after(t, &op, tm_who, &profiled, tm_took(op.result));                          \
      return op.result;                                                                         \
    }                                                                                           \
  }                                                                                             \
  __builtin_assume(op.action == act);                                                           \
  if (tm_before(t, &op)) {                                                                      \
    if (act == TM_ACQUIRE) tm_hold_prepare(t, &op);                                             \
    op.result = TM_REAL(name) arguments;                                                        \
  }                                                                                             \
  __builtin_assume(op.action == act);                                                           \
  tm_after(t, &op, tm_took(op.result));                                                         \
  return op.result

/* A whole interposed function that releases. What it does before the real one is done under the
 * lock, so the plain case has its own short way. The other way is no tail call: its stacks begin at
 * this function's frame. */
#define TM_RELEASING(name, type, its_kind)                                                         \
  TM_OTHER_WAY static int release_##name(type *object, void *frame) {                              \
    TM_INTERPOSED_AT(frame, ((void **)frame)[1], name, (object), TM_RELEASE, (const void *)object, \
                     its_kind, TM_EXCLUSIVE);                                                      \
  }                                                                                                \
  TM_EXPORT int name(type *object) {                                                               \
    void *frame = __builtin_frame_address(0);                                                      \
    tm_thread *t = tm_release_plainly((const void *)object);                                       \
    if (TM_UNLIKELY(!t)) return release_##name(object, frame);                                     \
    int result = TM_REAL(name)(object);                                                            \
    if (!tm_took(result)) tm_release_failed(t, (const void *)object, its_kind, frame);             \
    return result;                                                                                 \
  }
#define TM_OTHER_WAY __attribute__((noinline, not_tail_called))
#endif
