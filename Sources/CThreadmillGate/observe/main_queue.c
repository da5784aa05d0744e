#ifdef __linux__
#include "ground/base.h"
#include "observe/main_queue.h"
#include "code/block_function.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/now.h"
#include "ground/thread.h"
#include "object/hop.h"
#include "strand/operation.h"
#include "strand/scope.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

enum { SHOWN_WAITERS = TM_PLACES - 1 };

/* The number of queued blocks is in the low bits. Above them is the millisecond in which the first
 * of these blocks came to an empty queue. */
enum { COUNT_BITS = 24 };
static const uint64_t count_mask = (1u << COUNT_BITS) - 1;
static _Atomic uint64_t queued;
static uint64_t last_told; /* the end of the main thread's last wait that was too long */

void tm_main_block_queued(void) {
  uint64_t before = atomic_load_explicit(&queued, memory_order_relaxed), after;
  do after = before & count_mask ? before + 1 : tm_now_roughly() / TM_MILLISECOND << COUNT_BITS | 1;
  while (!atomic_compare_exchange_weak_explicit(&queued, &before, after, memory_order_relaxed,
                                                memory_order_relaxed));
}

void tm_main_block_begun(void) { atomic_fetch_sub_explicit(&queued, 1, memory_order_relaxed); }

static uint32_t count_queued(uint64_t others) { return (uint32_t)(others & count_mask); }

/* Returns for how long others were queued while the main queue was kept since then. */
static uint64_t kept_since(uint64_t since, uint64_t now) {
  uint64_t others = atomic_load_explicit(&queued, memory_order_relaxed);
  uint64_t began = (others >> COUNT_BITS) * TM_MILLISECOND;
  return tm_main_queue_kept(since, began, now, count_queued(others));
}

static bool is_too_long(uint64_t kept) {
  return tm_keeps_main_queue(kept, tm_settings_now.main_limit);
}

static uint32_t length_of(const uintptr_t site[TM_SITE]) {
  uint32_t count = 0;
  while (count < TM_SITE && site[count]) count++;
  return count;
}

typedef struct others {
  uintptr_t sites[SHOWN_WAITERS][TM_SITE];
  uint32_t count;
} others;

static void note_other(const tm_hop *hop, void *context) {
  others *o = context;
  if (hop->queue != tm_main_queue || !hop->queued || o->count == SHOWN_WAITERS) return;
  tm_site_copy(o->sites[o->count++], hop->site);
}

/* Fills in the blocks that had to wait. Their places point into `waiting`. */
static void note_waiters(tm_main_queue_waiters *waiters, others *waiting, uint64_t nanoseconds) {
  tm_hops_each(note_other, waiting);
  for (uint32_t i = 0; i < waiting->count; i++)
    waiters->submitted.list[waiters->submitted.count++] =
        (tm_stack_view){waiting->sites[i], length_of(waiting->sites[i])};
  waiters->milliseconds = nanoseconds / TM_MILLISECOND;
  waiters->count = count_queued(atomic_load_explicit(&queued, memory_order_relaxed));
}

uint64_t tm_main_block_begin(void) { return tm_settings_now.main_limit ? tm_now_roughly() : 0; }

/* Tests on the main actor may keep the main queue for as long as they run. */
static bool is_test(const tm_hop *hop) { return hop->job && tm_is_test_running(); }

uintptr_t tm_main_block_function(const tm_hop *hop) {
  if (hop->job) return 0;
  const void *function = hop->is_block ? tm_block_function(hop->context) : (const void *)hop->work;
  return (uintptr_t)function + 1;
}

void tm_main_block_over(tm_thread *t, const tm_hop *hop, uintptr_t function, uint64_t since) {
  uint64_t kept = since ? kept_since(since, tm_now_roughly()) : 0;
  if (!since || TM_LIKELY(!is_too_long(kept)) || last_told > since || is_test(hop)) return;
  tm_happening held = {.kind = TM_MAIN_QUEUE_HELD,
                       .main_queue_held = {.submitted = {hop->site, length_of(hop->site)},
                                           .function = function}};
  others waiting = {.count = 0};
  note_waiters(&held.main_queue_held.waiters, &waiting, kept);
  tm_tell(t, __builtin_frame_address(0), &held, &held.main_queue_held.queue, tm_main_queue,
          TM_SERIAL_QUEUE);
}

uint64_t tm_main_wait_begin(void) { return tm_main_block_begin(); }

void tm_main_wait_over(tm_thread *t, const tm_operation *op) {
  uint64_t now = tm_now_roughly(), kept = kept_since(op->since, now);
  if (TM_LIKELY(!is_too_long(kept))) return;
  last_told = now;
  tm_happening waited = {.kind = TM_MAIN_THREAD_WAITED,
                         .main_thread_waited = {.waiters = {.count = 0}}};
  others waiting = {.count = 0};
  note_waiters(&waited.main_thread_waited.waiters, &waiting, kept);
  tm_tell(t, op->frame, &waited, &waited.main_thread_waited.object, op->object, op->kind);
}

TM_GATE_CODE_END
#endif
