#ifdef __linux__
#include "ground/base.h"
#include "seam/run_hop.h"
#include "code/stack.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/group.h"
#include "object/hop.h"
#include "object/item.h"
#include "object/pools.h"
#include "object/queue.h"
#include "object/upcalls.h"
#include "observe/inversion.h"
#include "observe/job_run.h"
#include "observe/leaving.h"
#include "observe/main_queue.h"
#include "observe/starvation.h"
#include "observe/trace.h"
#include "seam/point.h"
#include "seam/section.h"
#include "shake/shake.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/course.h"
#include "strand/errand.h"
#include "strand/job.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/suspended.h"
#include "strand/swift_task.h"
#include "strand/tasks.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Runs hops. calls/dispatch/async.c wraps submitted work (a block, a function, a job of Swift's) in
 * a hop, and submits the call `tm_hop_land(hop)` instead. When libdispatch or the Scheduler makes
 * that call, the work runs as a strand of its own. Work items are not wrapped: run_item.c runs them
 * with `tm_hop_run_here`. */

/* Before the work: the strand learns the end of the group or item that the work comes after. */
static void begin(tm_thread *t, const tm_hop *hop) {
  if (!hop->connected) return;
  if (hop->takes && hop->group) {
    tm_group_take_stamp(t, hop->group);
    tm_edge_end(&hop->group->left);
  }
  if (hop->after) tm_item_learn(t, hop->after);
  if (hop->woken_by) tm_tsan_acquire(hop->woken_by);
  if (hop->operations) tm_operations_begin(t, hop->operations);
  tm_order_end(hop->takes);
  tm_order_end(hop->source);
  if (hop->after) tm_item_order(hop->after);
}

static void finish_connected(tm_thread *t, const tm_hop *hop, tm_stamp end) {
  tm_order_add(hop->source);
  if (hop->leaves) {
    tm_order_add(hop->leaves);
    if (hop->group) {
      tm_group_leave_at(hop->group, end);
      tm_edge_add(&hop->group->left);
    }
    tm_let_go(t, hop->leaves, NULL);
  }
  if (hop->item) tm_item_leave_at(hop->item, end);
  if (hop->ends) tm_let_go(t, hop->ends, NULL);
  if (hop->ended) tm_edge_add(hop->ended);
}

/* After the work: leaves the strand's end for all code that comes after it. */
static void finish(tm_thread *t, const tm_hop *hop, uint32_t starter, const tm_link *links,
                   uint32_t count) {
  tm_swift_task_learn(t);
  tm_stamp end = tm_strand_over(t);
  for (uint32_t i = 0; i < count; i++)
    tm_history_leave(&links[i], hop->from.slot, hop->from.time, end);
  if (hop->connected) finish_connected(t, hop, end);
  if (!hop->aside) tm_swift_task_ends(hop->task, starter, end);
}

static tm_origin origin_of(const tm_hop *hop) {
  const void *job = hop->job ? hop->context : NULL;
  tm_origin origin = {.quality = hop->quality,
                      .submitter = hop->submitter,
                      .runs = {hop->submitted, hop->connected ? hop->leaves : NULL, job},
                      .path = hop->connected ? hop->path : 0};
  tm_site_copy(origin.submitted, hop->site);
  return origin;
}

/* Lets jitter delay the work before it begins. Jitter knows work by the place of its submission.
 * All jobs are submitted inside the Swift runtime, so a job is known by the place of its code. */
TM_SLOW static void begin_point(tm_thread *t, const tm_hop *hop) {
  uintptr_t place = hop->job ? tm_job_place(hop->context) : 0;
  if (!place) place = tm_course_place(hop->site);
  tm_shake_point(t, TM_POINT_BEGIN, NULL, place);
}

/* What the strand does, for reports of races. A job is known by the place where its task was
 * started. */
TM_SLOW static void note_errand(const tm_hop *hop, tm_beginning *b) {
  if (!hop->job) {
    b->errand = tm_errand_number(TM_RACE_BLOCK, hop->submitted, hop->site);
    return;
  }
  uintptr_t created[TM_SITE] = {0};
  b->task = tm_job_is_task(hop->context) ? tm_task_number_here(hop->context) : 0;
  if (b->task) tm_task_created(hop->context, b->task, created);
  b->errand = tm_errand_number(TM_RACE_JOB, NULL, created);
}

/* Notes the moments that the queues and the group promise to the strand. It can go on with the
 * fibre of a strand that one of them covers. */
TM_SLOW static void note_known(const tm_hop *hop, const tm_link *links, uint32_t count,
                               tm_known *known) {
  for (uint32_t i = 0; i < count; i++)
    if (atomic_load_explicit(tm_generation(links[i].queue), memory_order_relaxed) & 1)
      tm_history_end(&links[i], known);
  if (hop->connected && hop->takes && hop->group) tm_group_know(hop->group, known);
}

void tm_hop_run_here(tm_thread *t, const tm_hop *hop) {
  tm_aside aside;
  tm_link links[TM_CHAIN];
  uint32_t count = hop->queue ? tm_queue_chain(hop->queue, hop->barrier, links) : 0;
  tm_workers *outer = atomic_load_explicit(&t->pools.workers, memory_order_relaxed);
  tm_origin origin = origin_of(hop);
  bool main = hop->queue && hop->queue == tm_main_queue;
  tm_beginning beginning = {.known = {.from = hop->from},
                            .edge = hop->connected ? hop->edge : NULL,
                            .scope = hop->scope,
                            .continues = main && t->who.is_main};
  if (TM_UNLIKELY(tm_fibres_on)) {
    note_errand(hop, &beginning);
    note_known(hop, links, count, &beginning.known);
  }
  tm_strand_begin(t, &beginning, &origin, &aside);
  atomic_store_explicit(&t->pools.workers, hop->workers, memory_order_relaxed);
  begin(t, hop);
  tm_links_enter(t, links, count, hop->site);
  if (TM_UNLIKELY(tm_is_jittered(t))) begin_point(t, hop);
  bool traced = TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t);
  tm_trace_run run = {0, 0};
  if (traced) run = tm_trace_run_begin(t, hop->from);
  uintptr_t function = TM_UNLIKELY(main) ? tm_main_block_function(hop) : 0;
  uint64_t since = TM_UNLIKELY(main) ? tm_main_block_begin() : 0;
  uint32_t starter = hop->job ? tm_swift_task_starter(hop->context) : 0;
  if (hop->job) tm_job_run(t, hop);
  else hop->work(hop->context);
  if (traced) tm_trace_run_end(t, run, hop->job, hop->site);
  if (TM_UNLIKELY(since != 0)) tm_main_block_over(t, hop, function, since);
  tm_links_leave(t, links, count);
  finish(t, hop, starter, links, count);
  if (TM_UNLIKELY(t->observe.watched)) tm_workers_unwatch(t);
  atomic_store_explicit(&t->pools.workers, outer, memory_order_relaxed);
  tm_strand_end(t, &aside);
  tm_known_drop(&beginning.known);
}

static void disconnect(tm_hop *hop) {
  tm_item_drop(hop->after);
  if (hop->group && hop->leaves) tm_group_block_over(hop->group, hop->place);
  tm_group_drop(hop->group);
}

static void release(tm_thread *t, tm_hop *hop) {
  if (hop->workers && hop->barrier) tm_workers_count(t, hop->workers, TM_WORK_BARRIER, -1);
  if (TM_LIKELY(t != NULL)) tm_stamp_return(t, &hop->from);
  else tm_stamp_drop(&hop->from);
  if (hop->connected) disconnect(hop);
  tm_pool_give(hop, tm_hop_size(hop));
}

/* Takes the hop out of the counts of waiting work. */
static void arrive(tm_thread *t, tm_hop *hop) {
  atomic_store_explicit(&hop->waiting, 0, memory_order_relaxed);
  if (hop->queued && hop->queue == tm_main_queue) tm_main_block_begun();
  if (hop->counted) tm_backlog_remove(hop->queue);
  bool jittered = hop->connected && hop->path != 0;
  if (TM_UNLIKELY(jittered) && hop->queued) tm_shake_due(hop->submitted, -1);
  if (hop->awaits_thread) tm_workers_count(t, hop->workers, TM_WORK_WAITS, -1);
}

/* The process ends, or the gate itself submitted the work. What orders it is still drawn. */
TM_SLOW static void run_unwatched(const tm_hop *hop) {
  tm_link links[TM_CHAIN];
  uint32_t count = hop->queue ? tm_queue_chain(hop->queue, hop->barrier, links) : 0;
  if (hop->connected) tm_edge_end(hop->edge);
  if (hop->connected) tm_order_end(hop->takes);
  tm_links_order(links, count, true);
  hop->work(hop->context);
  tm_links_order(links, count, false);
  if (hop->connected) tm_order_add(hop->leaves);
}

void tm_hop_land(void *context) {
  tm_hop *hop = context;
  /* Another processor wrote the hop: fetch its other cache line. */
  __builtin_prefetch(hop->site);
  bool is_known = tm_self;
  tm_thread *t = tm_is_active() ? (is_known ? tm_self : tm_thread_attach()) : NULL;
  /* libdispatch calls: on its own threads, and on the main one. */
  if (t && !t->who.is_main && (!is_known || t->who.is_library)) t->who.is_worker = true;
  if (!hop->aside) arrive(t, hop);
  hop->aside = false;
  if (t && !t->ground.inside) tm_hop_run_here(t, hop);
  else run_unwatched(hop);
  if (!hop->aside) release(t, hop);
}

void tm_hop_set_aside(tm_thread *t, tm_hop *hop) {
  tm_stamp before = hop->from; /* the strand may still have to learn it */
  hop->from = tm_stamp_take(t);
  tm_stamp_drop(&before);
  hop->aside = true;
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, hop->from);
}

TM_GATE_CODE_END
#endif
