#ifdef __linux__
#include "base.h"
#include "state.h"
#include "caller.h"
#include "object.h"
#include "attention.h"
#include "control.h"
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
    "traceEventsDropped",     "poolWorkUnwatched",
    "memoryRefused",
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
extern void *__libc_stack_end __attribute__((weak));

/* A destructor of thread-specific data runs up to four rounds; the others may still take locks, so
 * this one asks to be called again until the last. In that one TSan has forgotten the thread: its
 * part in an exploration is over in the one before. */
enum { LAST_ROUND = 4 };

/* What a thread does after that passes. */
static _Thread_local bool ended __attribute__((tls_model("initial-exec")));

static void end_round(void *state) {
  tm_thread *t = state;
  if (t->seat && t->exiting + 2 >= LAST_ROUND) tm_seat_leave(t->seat);
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
    t->strand = tm_strand_new(t);
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
  t->is_main = t->is_library = t->keeps_going = false;
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
tm_thread *tm_thread_special(tm_thread *t) {
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

TM_GATE_CODE_END
#endif
