#ifdef __linux__
#include "ground/base.h"
#include "observe/lock_misuse.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/told_once.h"
#include "object/object.h"
#include "object/owned.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_sequence.h"
#include "threadmill_views.h"
#include <errno.h>
#include <semaphore.h>

TM_GATE_CODE_BEGIN

/* Another thread's hold or wait, as far as it is known. */
typedef struct place {
  uintptr_t site[TM_SITE];
  uint32_t thread; /* 0: unknown */
} place;

static tm_stack_view shown_place(const place *p) {
  tm_stack_view view = {p->site, 0, p->thread};
  while (view.count < TM_SITE && p->site[view.count]) view.count++;
  return view;
}

/* Tells one place of a misuse once, and one misuse of an object. */
static void tell_misuse(tm_thread *t, const tm_operation *op, tm_misuse misuse, const place *other,
                        const void *condition) {
  uint64_t name = tm_mix(tm_mix(misuse, op->site[0]), op->site[1]);
  if (tm_object_is_marked(op->object, TM_OBJECT_MISUSED) || !tm_is_first_time(name)) return;
  tm_happening told = {.kind = TM_LOCK_MISUSED,
                       .lock_misused = {.misuse = misuse, .other = shown_place(other)}};
  if (condition)
    tm_object_describe(condition, TM_CONDITION, TM_EXCLUSIVE, &told.lock_misused.condition);
  tm_tell(t, op->frame, &told, &told.lock_misused.lock, op->object,
          tm_kind_of(op->object, op->kind));
  tm_object_mark(op->object, TM_OBJECT_MISUSED);
}

/* Finds the hold of another thread; a hint, as that thread may go on. */
static void find_holder(const tm_thread *t, const void *object, place *found) {
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    const tm_hold *h = u != t && tm_is_live(u) ? tm_hold_find(u, object) : NULL;
    if (!h) continue;
    tm_site_copy(found->site, h->site);
    found->thread = u->who.number;
  }
}

/* The state of a lock as its own words say it. */
typedef enum state { UNCLEAR, FREE, MINE, OTHERS } state;

static state state_of_mutex(const tm_thread *t, const pthread_mutex_t *m) {
  if (m->__data.__lock == 0) return FREE;
  int owner = m->__data.__owner;
  return owner == 0 ? UNCLEAR : owner == t->ground.tid ? MINE : OTHERS;
}

/* The bits of a read-write lock's first word. */
enum { WRITER = 2, READERS_SHIFT = 3 };

static state state_of_rwlock(const tm_thread *t, const pthread_rwlock_t *l) {
  unsigned word = l->__data.__readers;
  int writer = l->__data.__cur_writer;
  if (word & WRITER) return writer == 0 ? UNCLEAR : writer == t->ground.tid ? MINE : OTHERS;
  return word >> READERS_SHIFT == 0 ? FREE : UNCLEAR;
}

static state state_of(const tm_thread *t, const tm_operation *op) {
  if (!tm_names_owner(op->object, op->kind)) return UNCLEAR;
  return op->kind == TM_RWLOCK ? state_of_rwlock(t, op->object) : state_of_mutex(t, op->object);
}

/* Returns whether a call on a mutex of this type answers a wrong use with an error, which the
 * program may expect. Foundation never looks at that answer. */
static bool answers(const tm_operation *op) {
  int type = op->kind == TM_MUTEX ? tm_mutex_type(op->object) : PTHREAD_MUTEX_NORMAL;
  return type == PTHREAD_MUTEX_RECURSIVE_NP || type == PTHREAD_MUTEX_ERRORCHECK_NP;
}

TM_SLOW void tm_unlocks_unheld(tm_thread *t, const tm_operation *op) {
  place holder = {{0}, 0};
  if (answers(op) && !op->foundations) return;
  state now = state_of(t, op);
  if (now == OTHERS) find_holder(t, op->object, &holder);
  if (now == OTHERS) tell_misuse(t, op, TM_UNLOCKED_OTHERS, &holder, NULL);
  if (now == FREE) tell_misuse(t, op, TM_UNLOCKED_UNHELD, &holder, NULL);
}

/* The places where mutexes were destroyed, by address; another mutex may take the place. There is
 * no lock: the object is missing while the rest is written. */
enum { DESTROYED = 256, NEAR = 2 };
static struct {
  _Alignas(32) const void *_Atomic object;
  uintptr_t site[NEAR];
  uint32_t thread;
} destroyed[DESTROYED];

static uint32_t destroyed_place(const void *object) {
  return tm_mix(0, (uintptr_t)object) % DESTROYED;
}

void tm_note_destroyed(const tm_thread *t, const void *object, void *frame) {
  uint32_t at = destroyed_place(object);
  uintptr_t site[TM_SITE];
  tm_site_take_near(t, frame, site);
  atomic_store_explicit(&destroyed[at].object, NULL, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  for (int i = 0; i < NEAR; i++) TM_SHARE(destroyed[at].site[i], site[i]);
  TM_SHARE(destroyed[at].thread, t->who.number);
  atomic_store_explicit(&destroyed[at].object, object, memory_order_release);
}

static bool find_destroyed(const void *object, place *by) {
  uint32_t at = destroyed_place(object);
  if (atomic_load_explicit(&destroyed[at].object, memory_order_acquire) != object) return false;
  for (int i = 0; i < NEAR; i++) by->site[i] = TM_GLIMPSE(destroyed[at].site[i]);
  by->thread = TM_GLIMPSE(destroyed[at].thread);
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&destroyed[at].object, memory_order_relaxed) == object;
}

/* A semaphore's word holds its value below the number of threads that wait. A thread that is let in
 * leaves both in one step: with a value of 0, none of those that wait is on its way out. */
static bool is_awaited(const void *semaphore) {
#if __SIZEOF_POINTER__ == 8
  uint64_t word = __atomic_load_n((const uint64_t *)semaphore, __ATOMIC_RELAXED);
  return (uint32_t)word == 0 && word >> 32 != 0;
#else
  (void)semaphore;
  return false;
#endif
}

static void place_of_wait(const tm_thread *u, place *found) {
  uint32_t count = tm_stack_of_waiting(u, TM_GLIMPSE(u->holds.wait.frame), found->site, TM_SITE);
  for (; count < TM_SITE; count++) found->site[count] = 0;
  found->thread = u->who.number;
}

static void find_waiter(const tm_thread *t, const void *object, place *found) {
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (u == t || !tm_is_live(u)) continue;
    if (tm_waits_for(u) != object) continue;
    unsigned since = tm_look(u);
    place_of_wait(u, found);
    if (tm_look_is_whole(u, since)) return;
  }
}

TM_SLOW void tm_destroys(tm_thread *t, const tm_operation *op) {
  place other = {{0}, 0};
  if (op->orders) return; /* a library's own */
  if (op->kind == TM_SEMAPHORE) {
    if (!is_awaited(op->object)) return;
    find_waiter(t, op->object, &other);
    if (other.thread) tell_misuse(t, op, TM_DESTROYED_AWAITED, &other, NULL);
    return;
  }
  state now = state_of(t, op);
  if (now == MINE || now == OTHERS) {
    const tm_hold *mine = tm_hold_find(t, op->object);
    find_holder(mine ? NULL : t, op->object, &other);
    tell_misuse(t, op, TM_DESTROYED_HELD, &other, NULL);
  }
  if (op->kind == TM_MUTEX && !op->foundations) tm_note_destroyed(t, op->object, op->frame);
}

/* `pthread_mutex_destroy` leaves this kind behind. */
enum { DESTROYED_KIND = -1 };

TM_SLOW void tm_is_invalid(tm_thread *t, const tm_operation *op) {
  place by = {{0}, 0};
  if (op->kind != TM_MUTEX || op->result != EINVAL) return;
  if (((const pthread_mutex_t *)op->object)->__data.__kind != DESTROYED_KIND) return;
  if (find_destroyed(op->object, &by)) tell_misuse(t, op, TM_USED_DESTROYED, &by, NULL);
}

TM_SLOW void tm_waits_without_mutex(tm_thread *t, const tm_operation *mutex, const void *condition,
                                    bool foundations) {
  place holder = {{0}, 0};
  if (answers(mutex) && !foundations) return;
  state now = state_of(t, mutex);
  if (now != FREE && now != OTHERS) return;
  find_holder(t, mutex->object, &holder);
  tell_misuse(t, mutex, TM_AWAITED_WITHOUT, &holder, condition);
}

/* A condition has one mutex while threads wait for it (POSIX). A thread that was signalled does not
 * count as waiting, although it may be on its way out for long: so signals are counted, by the hash
 * of the condition's address. A wait that ends by its time limit or by a cancellation ends with the
 * call: what the thread does afterwards can order other waits after it.
 *
 * Only if the mutex is another one than at the last wait, the threads are looked through. */
enum { CONDITIONS = 256 };
static struct {
  atomic_uint signals;
  const void *_Atomic last_mutex;
} conditions[CONDITIONS];

static uint32_t counter_of(const pthread_cond_t *c) {
  return tm_mix(0, (uintptr_t)c) % CONDITIONS;
}

/* In the layout that glibc's headers publish: other processes signal the condition, too. */
static bool is_shared(const pthread_cond_t *c) {
  return __atomic_load_n(&c->__data.__wrefs, __ATOMIC_RELAXED) & 1;
}

void tm_signals(const pthread_cond_t *c) {
  atomic_fetch_add(&conditions[counter_of(c)].signals, 1);
}

/* Returns whether the thread waits for the condition with another mutex, and was not signalled. */
static bool differs(const tm_thread *u, const tm_operation *mutex, const pthread_cond_t *c) {
  return tm_waits_for(u) == c && TM_GLIMPSE(u->observe.waits_with) != mutex->object &&
         TM_GLIMPSE(u->observe.signals_before) == atomic_load(&conditions[counter_of(c)].signals);
}

TM_SLOW static void tell_two(tm_thread *t, const tm_operation *mutex, const pthread_cond_t *c) {
  place other = {{0}, 0};
  for (tm_thread *u = tm_thread_first(); u && !other.thread; u = tm_thread_next(u)) {
    if (u == t || !tm_is_live(u)) continue;
    unsigned since = tm_look(u);
    if (!differs(u, mutex, c)) continue;
    place_of_wait(u, &other);
    if (!tm_look_is_whole(u, since)) other.thread = 0;
  }
  if (other.thread) tell_misuse(t, mutex, TM_AWAITED_WITH_TWO, &other, c);
}

void tm_waits_with(tm_thread *t, const tm_operation *mutex, const pthread_cond_t *c) {
  const void *_Atomic *last = &conditions[counter_of(c)].last_mutex;
  TM_SHARE(t->observe.waits_with, mutex->object);
  TM_SHARE(t->observe.signals_before, atomic_load(&conditions[counter_of(c)].signals));
  const void *before = atomic_load_explicit(last, memory_order_relaxed);
  if (TM_LIKELY(before == mutex->object)) return;
  atomic_store_explicit(last, mutex->object, memory_order_relaxed);
  if (before && !is_shared(c)) tell_two(t, mutex, c);
}

TM_SLOW void tm_ends_with(tm_thread *t, const tm_hold *h) {
  place nowhere = {{0}, 0}; /* the hold itself shows where it was taken */
  tm_operation op = {
      .object = h->object, .kind = (tm_kind)h->kind, .frame = __builtin_frame_address(0)};
  tm_site_copy(op.site, h->site);
  tell_misuse(t, &op, TM_ENDED_WITH, &nowhere, NULL);
}

TM_GATE_CODE_END
#endif
