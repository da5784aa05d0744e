#ifdef __linux__
#include "ground/base.h"
#include "strand/thread.h"
#include "ground/facts.h"
#include "ground/handler_stack.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/contexts.h"
#include "strand/fibre.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/upcalls.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

tm_thread *_Atomic tm_threads;
atomic_uint tm_joiners;
const void *tm_main_queue;
bool tm_main_queue_is_free;
static pthread_key_t ending;
static atomic_bool ending_ready;
static atomic_uint last_number;
extern void *__libc_stack_end __attribute__((weak));

/* Destructors of thread-specific data run in up to four rounds. Other destructors may still take
 * locks, so the gate's asks to be called again until the last round. In that round TSan has
 * forgotten the thread, so the thread leaves an exploration in the round before. */
enum { LAST_ROUND = 4 };

/* Set when the thread has ended for the gate: its later calls pass straight through. */
static _Thread_local bool ended __attribute__((tls_model("initial-exec")));

static void end_round(void *state) {
  tm_thread *t = state;
  tm_fibre_abandon(t);
  if (t->who.exiting + 2 >= LAST_ROUND) tm_thread_leaves(t);
  if (++t->who.exiting < LAST_ROUND && pthread_setspecific(ending, t) == 0) return;
  ended = true;
  tm_self = NULL;
  tm_thread_detach(t);
}

static void name_end(tm_thread *t) {
  t->ground.inside++;
  bool expected = false;
  static tm_spin making;
  if (!atomic_load_explicit(&ending_ready, memory_order_acquire)) {
    tm_spin_lock(&making);
    if (atomic_compare_exchange_strong(&ending_ready, &expected, true))
      pthread_key_create(&ending, end_round);
    tm_spin_unlock(&making);
  }
  pthread_setspecific(ending, t);
  t->ground.inside--;
}

static tm_thread *reuse(void) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t)) {
    bool dead = false;
    if (!atomic_load_explicit(&t->who.live, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&t->who.live, &dead, true))
      return t;
  }
  return NULL;
}

static tm_thread *make_thread(void) {
  static atomic_uint indices;
  uint32_t index = atomic_fetch_add_explicit(&indices, 1, memory_order_relaxed);
  tm_thread *t = index < TM_SLOTS ? tm_map(sizeof(tm_thread)) : NULL;
  if (!t || !tm_contexts_make(t)) {
    tm_count_one(TM_THREADS_DROPPED);
    return NULL;
  }
  t->who.index = index;
  t->strand.slot = tm_slot_new();
  atomic_store_explicit(&t->who.live, true, memory_order_relaxed);
  tm_thread *first = tm_thread_first();
  do atomic_store_explicit(&t->who.next, first, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&tm_threads, &first, t, memory_order_release,
                                                memory_order_relaxed));
  return t;
}

/* Returns the top of the stack of a thread whose creation the gate did not see. */
static uintptr_t find_top(const tm_thread *t) {
  if (t->who.is_main && &__libc_stack_end) return (uintptr_t)__libc_stack_end;
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return (uintptr_t)__builtin_frame_address(0);
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  return failed ? (uintptr_t)__builtin_frame_address(0) : (uintptr_t)base + size;
}

uint32_t tm_threads_seen(void) { return atomic_load_explicit(&last_number, memory_order_relaxed); }

TM_SLOW tm_thread *tm_thread_attach(void) { return tm_thread_attach_below(0); }

tm_thread *tm_thread_attach_below(uintptr_t top) {
  static _Thread_local bool attaching __attribute__((tls_model("initial-exec")));
  if (attaching || ended || !atomic_load_explicit(&tm_active, memory_order_relaxed)) return NULL;
  attaching = true;
  int saved = errno;
  tm_thread *t = reuse();
  if (!t) t = make_thread();
  if (t) {
    t->ground.inside = 1;
    t->who.exiting = 0;
    t->ground.stack_high = 0;
    t->strand.stack_low = 0;
    t->ground.tid = (int)syscall(SYS_gettid);
    t->who.handle = pthread_self();
    syscall(SYS_prctl, PR_GET_NAME, t->who.first_name);
    t->who.number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
    t->strand.id = tm_strand_new(t);
    t->strand.began = ++t->strand.now;
    tm_self = t;
    t->who.is_main = getpid() == t->ground.tid;
    t->code.stack_top = top ? top : find_top(t);
    name_end(t);
    t->ground.attention = tm_attention(t);
    t->strand.course = (tm_course){.path = t->who.number};
    tm_thread_begins(t);
    t->ground.inside = 0;
  }
  ended = t == NULL;
  attaching = false;
  errno = saved;
  return t;
}

/* Ends the thread for the gate. A thread that joins it picks up its knowledge, from an entry keyed
 * by the handle. */
void tm_thread_detach(tm_thread *t) {
  t->ground.inside = 1;
  tm_thread_ends(t);
  unsigned after = tm_change_begins(t);
  TM_SHARE(t->holds.held_count, 0);
  atomic_store_explicit(&t->holds.wait.object, NULL, memory_order_relaxed);
  tm_change_ends(t, after);
  tm_stamps_settle(t);
  tm_clock_drop(t->strand.clock);
  t->strand.clock = NULL;
  t->strand.from = (tm_stamp){0};
  t->strand.scope = 0;
  t->strand.base = 0;
  t->strand.origin = (tm_origin){0};
  t->strand.working = 0;
  t->who.is_main = t->who.is_library = t->who.is_worker = t->ground.keeps_going = false;
  atomic_store(&t->who.cancelled, false);
  t->who.handle = 0;
  t->ground.special = 0;
  atomic_store_explicit(&t->who.live, false, memory_order_release);
}

tm_thread *tm_thread_by_handle(pthread_t handle) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    if (tm_is_live(t) && t->who.handle == handle) return t;
  return NULL;
}

/* Serves the thread's pending checks. If a thread has synced onto the main queue, the main thread
 * now counts as that queue's holder. */
tm_thread *tm_thread_attend(tm_thread *t) {
  if (t->ground.inside) return NULL;
  if (t->ground.attention & TM_ATTENDS_RACES) tm_races_attend();
  if (t->ground.attention & TM_ATTENDS_HANDLERS) tm_handler_stack_take_back(t);
  if (t->ground.attention & TM_ATTENDS_INLINED_LOCK) tm_hold_inlined(t);
  bool asked = t->ground.attention & TM_ATTENDS_MAIN_QUEUE;
  t->ground.attention = tm_attention(t);
  if (!asked || !t->who.is_main || t->holds.held_count != 0) return t;
  tm_hold_main_queue(t);
  return t;
}

TM_GATE_CODE_END
#endif
