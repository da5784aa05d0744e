#ifdef __linux__
#include "base.h"
#include "state.h"
#include "caller.h"
#include "object.h"
#include "attention.h"
#include "race.h"
#include "real.h"
#include "stack.h"
#include "tsan.h"
#include "workers.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

_Thread_local tm_thread *tm_self __attribute__((tls_model("initial-exec")));
tm_thread *_Atomic tm_threads;
atomic_bool tm_active;
tm_settings tm_settings_now;
tm_listener tm_listening;
atomic_uint tm_joiners;
const void *tm_main_queue;
bool tm_main_queue_is_free;
_Atomic uint32_t tm_generations[TM_GENERATIONS];

const char *const tm_count_names[TM_COUNTS] = {
    "holdsDropped",           "stacksTruncated",
    "stacksDropped",          "threadsDropped",
    "stacksMissed",           "clocksDropped",
    "acquisitionsUnprofiled", "sanitizerLockOrdersLeftOut",
    "racesLeftToSanitizer",   "jitterPoints",
    "jitterDelays",           "jitterMilliseconds",
    "jitterOverBudget",       "jitterPlansDropped",
    "traceEventsDropped",
};
static atomic_ullong counts[TM_COUNTS];
void tm_count_one(tm_count which) {
  atomic_fetch_add_explicit(&counts[which], 1, memory_order_relaxed);
}
void tm_count_many(tm_count which, uint64_t many) {
  atomic_fetch_add_explicit(&counts[which], many, memory_order_relaxed);
}
uint64_t tm_counted(tm_count which) {
  return atomic_load_explicit(&counts[which], memory_order_relaxed);
}

static pthread_key_t ending;
static atomic_bool ending_ready;
static atomic_uint last_number;
/* A number that no other strand of this process has: the thread's own number above, which no other
 * thread ever has, and a count below that is nobody else's to write. */
enum { STRAND_BITS = 40 };
static uint64_t new_strand(tm_thread *t) {
  return (uint64_t)t->number << STRAND_BITS | ++t->strands;
}

extern void *__libc_stack_end __attribute__((weak));

/* A destructor of thread-specific data runs up to four rounds; the others may still take locks, so
 * this one asks to be called again until the last. */
enum { LAST_ROUND = 4 };

/* What a thread does after that passes. */
static _Thread_local bool ended __attribute__((tls_model("initial-exec")));

static void end_round(void *state) {
  tm_thread *t = state;
  if (++t->exiting < LAST_ROUND && pthread_setspecific(ending, t) == 0) return;
  ended = true;
  tm_self = NULL;
  tm_thread_detach(t);
}

static void name_end(tm_thread *t) {
  t->inside++;
  bool expected = false;
  static tm_spin making;
  if (!atomic_load_explicit(&ending_ready, memory_order_acquire)) {
    tm_spin_lock(&making);
    if (atomic_compare_exchange_strong(&ending_ready, &expected, true))
      pthread_key_create(&ending, end_round);
    tm_spin_unlock(&making);
  }
  pthread_setspecific(ending, t);
  t->inside--;
}

static tm_thread *reuse(void) {
  for (tm_thread *t = atomic_load(&tm_threads); t; t = atomic_load(&t->next)) {
    bool dead = false;
    if (!atomic_load_explicit(&t->live, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&t->live, &dead, true))
      return t;
  }
  return NULL;
}

static tm_thread *make(void) {
  static atomic_uint slots;
  uint32_t slot = atomic_fetch_add(&slots, 1);
  tm_thread *t = slot < TM_SLOTS ? tm_map(sizeof(tm_thread)) : NULL;
  tm_seen *seen = t ? tm_map_whole(TM_CONTEXTS * sizeof(tm_seen)) : NULL;
  if (!seen) {
    tm_count_one(TM_THREADS_DROPPED);
    return NULL;
  }
  t->seen = seen;
  t->slot = slot;
  atomic_store(&t->live, true);
  tm_thread *first = atomic_load(&tm_threads);
  do atomic_store(&t->next, first);
  while (!atomic_compare_exchange_weak(&tm_threads, &first, t));
  return t;
}

/* For a thread that the gate did not see being created. */
static uintptr_t find_top(const tm_thread *t) {
  if (t->is_main && &__libc_stack_end) return (uintptr_t)__libc_stack_end;
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return (uintptr_t)__builtin_frame_address(0);
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  return failed ? (uintptr_t)__builtin_frame_address(0) : (uintptr_t)base + size;
}

uint32_t tm_threads_seen(void) { return atomic_load(&last_number); }

TM_SLOW tm_thread *tm_thread_attach(void) { return tm_thread_attach_below(0); }

tm_thread *tm_thread_attach_below(uintptr_t top) {
  static _Thread_local bool attaching __attribute__((tls_model("initial-exec")));
  if (attaching || ended || !atomic_load_explicit(&tm_active, memory_order_relaxed)) return NULL;
  attaching = true;
  int saved = errno;
  tm_thread *t = reuse();
  if (!t) t = make();
  if (t) {
    t->inside = 1;
    t->exiting = 0;
    t->running = NULL;
    atomic_store_explicit(&t->awaited, NULL, memory_order_relaxed);
    t->tid = (int)syscall(SYS_gettid);
    t->handle = pthread_self();
    prctl(PR_GET_NAME, t->first_name);
    t->number = atomic_fetch_add(&last_number, 1) + 1;
    t->strand = new_strand(t);
    t->began = ++t->now;
    tm_self = t;
    t->is_main = getpid() == t->tid;
    t->stack_top = top ? top : find_top(t);
    name_end(t);
    t->attention = tm_attention(t);
    t->course = (tm_course){.path = t->number};
    t->shaken = (tm_shaken_time){0};
    tm_race_thread_began(t);
    t->inside = 0;
  }
  ended = t == NULL;
  attaching = false;
  errno = saved;
  return t;
}

void tm_strand_begin(tm_thread *t, tm_stamp from, uint32_t scope, const tm_origin *origin,
                     tm_aside *aside) {
  *aside = (tm_aside){.strand = t->strand,
                      .began = t->began,
                      .scope = t->scope,
                      .base = t->base,
                      .clock = t->clock,
                      .origin = t->origin};
  if (TM_UNLIKELY(origin->path != 0)) {
    aside->course = t->course;
    t->course = (tm_course){.path = origin->path, .maker = origin->submitter};
  }
  t->origin = *origin;
  t->clock = tm_clock_after(from);
  t->strand = new_strand(t);
  t->began = ++t->now;
  t->epoch++;
  t->working++;
  t->scope = scope;
  t->base = t->held_count;
  aside->marked = scope != aside->scope && tm_race_mark(scope);
}

bool tm_strand_goes_on(uint64_t strand) {
  for (tm_thread *t = atomic_load(&tm_threads); t; t = atomic_load(&t->next))
    if (atomic_load(&t->live) && t->strand == strand)
      return !atomic_load_explicit(&t->wait.object, memory_order_relaxed);
  return false;
}

void tm_strand_end(tm_thread *t, const tm_aside *aside) {
  if (TM_UNLIKELY(aside->marked)) tm_race_unmark();
  tm_clock_drop(t->clock);
  t->working--;
  t->now++;
  t->epoch++;
  t->strand = aside->strand;
  t->began = aside->began;
  t->scope = aside->scope;
  t->base = aside->base;
  t->clock = aside->clock;
  t->origin = aside->origin;
  if (TM_UNLIKELY(aside->course.path != 0)) t->course = aside->course;
}

tm_stamp tm_strand_over(tm_thread *t) {
  t->clock = tm_clock_learn(t->clock, (tm_stamp){NULL, t->slot, t->now});
  t->epoch++;
  return (tm_stamp){t->clock, t->slot, t->now++};
}

/* What joins this thread picks up what it knew; the entry is keyed by its handle. */
void tm_thread_detach(tm_thread *t) {
  t->inside = 1;
  tm_object_leave_stamp(t, (const void *)t->handle, TM_THREAD);
  atomic_fetch_add(&t->sequence, 1);
  t->held_count = 0;
  atomic_store(&t->wait.object, NULL);
  tm_clock_drop(t->clock);
  t->clock = NULL;
  t->scope = 0;
  t->base = 0;
  t->origin = (tm_origin){0};
  t->pending = NULL;
  t->working = 0;
  if (t->watched) tm_workers_unwatch(t);
  atomic_store(&t->workers, NULL);
  t->is_main = t->is_library = false;
  t->handle = 0;
  t->seat = NULL;
  t->special = 0;
  atomic_store(&t->live, false);
}

tm_thread *tm_thread_by_handle(pthread_t handle) {
  for (tm_thread *t = atomic_load(&tm_threads); t; t = atomic_load(&t->next))
    if (atomic_load(&t->live) && t->handle == handle) return t;
  return NULL;
}

/* Where somebody synced onto the main queue, the main thread now counts as its holder. */
TM_SLOW tm_thread *tm_thread_special(tm_thread *t) {
  if (t->inside) return NULL;
  if (t->attention & TM_ATTENDS_RACES) tm_races_attend();
  bool asked = t->attention & TM_ATTENDS_MAIN_QUEUE;
  t->attention = tm_attention(t);
  if (!asked || !t->is_main || t->held_count != 0) return t;
  t->held[0] = (tm_hold){
      .object = tm_main_queue,
      .kind = TM_SERIAL_QUEUE,
      .flags = TM_HOLD_BASE,
      .context = tm_mix(0, (uintptr_t)tm_main_queue),
  };
  t->held_count = 1;
  atomic_fetch_add(&t->sequence, 1);
  return t;
}

tm_stamp tm_stamp_take(tm_thread *t) {
  t->epoch++;
  return (tm_stamp){tm_clock_keep(t->clock), t->slot, t->now++};
}

void tm_stamp_drop(tm_stamp *stamp) { tm_clock_drop(stamp->clock); }

void tm_learn(tm_thread *t, tm_stamp stamp) {
  if (tm_clock_has(t->clock, stamp)) return;
  t->clock = tm_clock_learn(t->clock, stamp);
  t->epoch++;
}

/* The runtime's lock: one up-call at a time. */
static tm_spin runtime_lock;
void tm_runtime_lock_raw(void) { tm_spin_lock(&runtime_lock); }
void tm_runtime_unlock_raw(void) { tm_spin_unlock(&runtime_lock); }

static tm_spin delivery_lock;
void tm_delivery_lock(void) { tm_spin_lock(&delivery_lock); }
bool tm_delivery_lock_within(unsigned milliseconds) {
  return tm_spin_lock_within(&delivery_lock, milliseconds);
}
void tm_delivery_unlock(void) { tm_spin_unlock(&delivery_lock); }

void tm_ignore_begin(void) {
  if (!__tsan_ignore_thread_begin) return;
  __tsan_ignore_thread_begin();
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
}

void tm_ignore_end(void) {
  if (!__tsan_ignore_thread_end) return;
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  __tsan_ignore_thread_end();
}

tm_quiet tm_quiet_begin(void) {
  tm_quiet before = {.error = errno};
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.cancellation);
  tm_ignore_begin();
  return before;
}

void tm_quiet_end(tm_quiet before) {
  tm_ignore_end();
  pthread_setcancelstate(before.cancellation, NULL);
  errno = before.error;
}

tm_quiet tm_upcall_begin(tm_thread *t) {
  t->inside++;
  tm_quiet before = tm_quiet_begin();
  tm_runtime_lock_raw();
  return before;
}

static atomic_bool promised;
void tm_promise(void) { atomic_store(&promised, true); }

/* Detect, leave, then deliver: whatever a delivery does, it does without the runtime's lock. */
void tm_upcall_end(tm_thread *t, tm_quiet before) {
  tm_runtime_unlock_raw();
  if (TM_UNLIKELY(atomic_load_explicit(&promised, memory_order_relaxed)) &&
      atomic_exchange(&promised, false))
    tm_listening.settle();
  tm_quiet_end(before);
  t->inside--;
}

void tm_enter_harness(void) {
  if (tm_self) tm_self->inside++;
  tm_ignore_begin();
}

void tm_leave_harness(void) {
  tm_ignore_end();
  if (tm_self) tm_self->inside--;
}

void tm_runtime_lock(void) {
  tm_enter_harness();
  tm_runtime_lock_raw();
}

void tm_runtime_unlock(void) {
  tm_runtime_unlock_raw();
  tm_leave_harness();
}

TM_GATE_CODE_END
#endif
