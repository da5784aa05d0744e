#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/recent.h"
#include "code/stack.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/timers.h"
#include "object/barrier.h"
#include "object/group.h"
#include "object/hop.h"
#include "object/item.h"
#include "object/pools.h"
#include "object/queue.h"
#include "object/upcalls.h"
#include "observe/early.h"
#include "observe/main_queue.h"
#include "observe/trace.h"
#include "seam/point.h"
#include "seam/run_item.h"
#include "seam/users_call.h"
#include "shake/shake.h"
#include "strand/attention.h"
#include "strand/course.h"
#include "strand/hold.h"
#include "strand/job.h"
#include "strand/quality.h"
#include "strand/strand.h"
#include "strand/suspended.h"
#include "strand/swift_task.h"
#include "strand/tasks.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The work of a hop that owns its block. The block goes before the strand ends: what its end frees
 * belongs to the strand. */
static void invoke_async(void *block) {
  ((tm_block *)block)->invoke(block);
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  give(block);
}

/* Returns the queue if a thread can hold it, else NULL. No thread can hold the queue behind the
 * pool of Swift's jobs; a thread can hold the main queue. */
static const void *holdable(const void *queue, tm_caller who) {
  return who == TM_CALLER_RUNTIME && queue != tm_main_queue ? NULL : queue;
}

static void join_group(tm_thread *t, void *frame, tm_hop *hop) {
  const void *group = hop->leaves ? hop->leaves : hop->takes;
  if (!group || !(hop->group = tm_group_of(group))) return;
  if (hop->takes) return tm_early_notified(t, frame, hop->group);
  hop->place = tm_group_block(t, hop->group, hop, hop->site);
  tm_early_entered(t, frame, hop->group, true);
}

/* Marks the queue as one with a history. It reads before it writes, because most submissions go to
 * a queue that is marked already. */
static void expect_on(const void *queue) {
  _Atomic uint32_t *generation = tm_generation(queue);
  if (!(atomic_load_explicit(generation, memory_order_relaxed) & 1))
    atomic_fetch_or_explicit(generation, 1, memory_order_relaxed);
}

/* Whether work behind these links begins as soon as there is a thread for it. */
static bool needs_only_thread(const tm_link *links, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (links[i].mode == TM_EXCLUSIVE) return false;
  return true;
}

/* Enters the hop among the work that waits on its queue. `sent` is a copy of it. */
static void queue_up(tm_thread *t, tm_hop *hop, const tm_hop *sent) {
  if (sent->queued && sent->queue == tm_main_queue) tm_main_block_queued();
  hop->counted = sent->queued && sent->queue && tm_backlog_add(sent->queue, sent->quality);
  tm_link links[TM_CHAIN];
  tm_workers *w = tm_workers_of(sent->submitted);
  hop->workers = w;
  bool is_pools = w && w->cooperative && !sent->queue;
  uint32_t count = is_pools ? 0 : tm_queue_chain(sent->submitted, sent->barrier, links);
  if (count && sent->queue) expect_on(sent->queue);
  if (!w) return;
  if (sent->barrier) tm_workers_count(t, w, TM_WORK_BARRIER, 1);
  /* A thread under control gets a worker when its turn comes, so it never waits for one here. */
  bool could_run = w->cooperative || needs_only_thread(links, count);
  hop->awaits_thread = sent->queued && !t->control.seat && could_run;
  if (hop->awaits_thread) tm_workers_count(t, w, TM_WORK_WAITS, 1);
}

/* Makes a hop like `wish` that is submitted here; NULL if memory is out. Most hops were last
 * written by another processor, so that a read of one is a wait: nothing is read from it. */
static tm_hop *depart(tm_thread *t, void *frame, tm_hop wish) {
  bool fibres = tm_fibres_on;
  wish.path = tm_path_of_child(t);
  wish.connected = wish.leaves || wish.takes || wish.path || fibres;
  tm_hop *hop = tm_pool_take_as_is(tm_hop_size(&wish));
  if (!hop) return NULL;
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  if (wish.is_block) wish.context = copy(wish.context);
  wish.task = tm_swift_task();
  /* A task that starts the next task after its own end is inside the runtime: no line of the user's
   * made this submission. */
  bool leads_on = wish.job && !wish.task && tm_control_runs_task(t);
  if (!leads_on) tm_site_take_here(t, frame, wish.site);
  wish.from = tm_stamp_lend(t);
  if (TM_UNLIKELY(fibres)) wish.edge = &hop->sent;
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, wish.from);
  wish.scope = tm_current_scope();
  if (wish.job && tm_job_is_task(wish.context))
    tm_task_starts(t, frame, wish.context, wish.scope);
  wish.submitter = t->strand.id;
  tm_copy(hop, &wish, tm_hop_size(&wish));
  atomic_store_explicit(&hop->waiting, TM_HOP_WAITS, memory_order_release);
  if (TM_UNLIKELY(fibres)) tm_edge_begin(&hop->sent);
  if (wish.connected) join_group(t, frame, hop);
  if (TM_UNLIKELY(wish.path != 0) && wish.queued) tm_shake_due(wish.submitted, 1);
  queue_up(t, hop, &wish);
  return hop;
}

static tm_hop *depart_function(void *return_address, void *frame, tm_hop wish) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t && wish.takes) tm_early_waited(wish.takes);
  if (!t) return NULL;
  tm_point_at(t, who, TM_POINT_BEFORE, wish.submitted, (uintptr_t)return_address);
  wish.job = who == TM_CALLER_RUNTIME && wish.context;
  if (wish.job) tm_job_comes(wish.context);
  /* Swift's jobs come on a queue for each priority. The medium one counts as not chosen. */
  wish.quality = tm_queue_quality(wish.queue);
  if (who == TM_CALLER_RUNTIME && wish.quality == TM_DEFAULT) wish.quality = 0;
  wish.queue = holdable(wish.queue, who);
  return depart(t, frame, wish);
}

/* Makes a hop of a plain block. A work item notes its submission and goes to libdispatch unchanged:
 * the result is NULL, and `noted` is set. */
static tm_hop *depart_block(void *return_address, void *frame, tm_hop wish, bool *noted) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t && wish.takes) tm_early_waited(wish.takes);
  if (!t) return NULL;
  tm_point_at(t, who, TM_POINT_BEFORE, wish.submitted, (uintptr_t)return_address);
  if (tm_block_is_item(wish.context)) {
    *noted = tm_item_submit(t, frame, wish.context, wish.leaves, wish.takes, NULL,
                            wish.queued ? wish.queue : NULL);
    return NULL;
  }
  wish.is_block = true;
  wish.quality = tm_queue_quality(wish.queue);
  wish.work = invoke_async;
  return depart(t, frame, wish);
}

/* The point after a submission: the work may begin, and end, before its submitter goes on. */
TM_SLOW static void submitted(void *return_address) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (t) tm_point_at(t, who, TM_POINT_AFTER, NULL, (uintptr_t)return_address);
}

/* Returns the place where an exploration lets others go first after this job has been submitted: it
 * begins a task of the user's. 0: there is no such place. Jitter leaves jobs alone. */
TM_SLOW static uintptr_t place_of_start(const tm_hop *hop) {
  if (!tm_self->control.seat || !tm_job_is_task(hop->context)) return 0;
  return tm_task_is_new(hop->context) ? tm_course_place(hop->site) : 0;
}

/* Returns whether the time is in the future: a block for "now" is no timer. */
static bool is_timer(dispatch_time_t when) {
  return when != DISPATCH_TIME_NOW && when != DISPATCH_TIME_FOREVER &&
         when != DISPATCH_WALLTIME_NOW;
}

dispatch_time_t tm_timer_later(dispatch_time_t when, void *return_address) {
  tm_thread *t = tm_self;
  if (!t || TM_LIKELY(!tm_is_shaken(t)) || !is_timer(when) || !tm_is_active()) return when;
  if (tm_caller_of(t, return_address) > TM_CALLER_RUNTIME) return when;
  tm_decision late = tm_shake_decide(t, TM_POINT_LATE, NULL, 0);
  uint64_t nanoseconds = (uint64_t)(late >> TM_DECIDES_SHIFT) * 1000;
  return tm_is_wall_time(when) ? when - nanoseconds : when + nanoseconds;
}

/* Defines a submission in its two forms. `PARAMETER` and `ARGUMENT` are what comes before the
 * queue, with a comma; `AS_BARRIER` submits a barrier item that TSan would turn into a plain one;
 * `NOTE` is done for each caller, the user's code or a library. */
#define TM_SUBMISSION(name, PARAMETER, ARGUMENT, AS_BARRIER, NOTE, ...)                            \
  TM_EXPORT void name(PARAMETER dispatch_queue_t queue, dispatch_block_t block) {                  \
    NOTE;                                                                                          \
    bool noted = false;                                                                            \
    tm_hop *hop =                                                                                  \
        depart_block(__builtin_return_address(0), __builtin_frame_address(0),                      \
                     (tm_hop){.queue = queue, .submitted = queue, .context = block, __VA_ARGS__},  \
                     &noted);                                                                      \
    bool shaken = (hop || noted) && TM_UNLIKELY(tm_is_shaken(tm_self));                            \
    if (hop) TM_STRAND_REAL(name##_f)(ARGUMENT queue, hop, tm_hop_land);                           \
    else if (noted && tm_passes_sanitizer()) TM_STRAND_REAL(name)(ARGUMENT queue, block);          \
    else if (tm_barrier_is_lost(block)) AS_BARRIER(ARGUMENT queue, block);                         \
    else TM_REAL(name)(ARGUMENT queue, block);                                                     \
    if (shaken) submitted(__builtin_return_address(0));                                            \
  }                                                                                                \
  TM_EXPORT void name##_f(PARAMETER dispatch_queue_t queue, void *context,                         \
                          dispatch_function_t work) {                                              \
    NOTE;                                                                                          \
    tm_hop *hop = depart_function(                                                                 \
        __builtin_return_address(0), __builtin_frame_address(0),                                   \
        (tm_hop){                                                                                  \
            .queue = queue, .submitted = queue, .context = context, .work = work, __VA_ARGS__});   \
    if (!hop) return TM_REAL(name##_f)(ARGUMENT queue, context, work);                             \
    bool shaken = TM_UNLIKELY(tm_is_shaken(tm_self)), job = hop->job;                              \
    uintptr_t start = shaken && job ? place_of_start(hop) : 0;                                     \
    TM_STRAND_REAL(name##_f)(ARGUMENT queue, hop, tm_hop_land);                                    \
    if (shaken && !job) submitted(__builtin_return_address(0));                                    \
    if (start) tm_control_at(tm_self, TM_POINT_AFTER, start);                                      \
  }

#define NOTHING
#define A_GROUP dispatch_group_t group,
#define THE_GROUP group,
#define A_TIME dispatch_time_t when,
#define THE_TIME when,

TM_SUBMISSION(dispatch_async, NOTHING, NOTHING, tm_barrier_async, NOTHING, .queued = true)
TM_SUBMISSION(dispatch_barrier_async, NOTHING, NOTHING, tm_barrier_async, NOTHING, .barrier = true,
              .queued = true)
/* libdispatch runs no delayed block as a barrier, either. */
TM_SUBMISSION(dispatch_after, A_TIME, THE_TIME, TM_REAL(dispatch_after),
              tm_timer_note(when = tm_timer_later(when, __builtin_return_address(0)), 0),
              .barrier = false)
TM_SUBMISSION(dispatch_group_async, A_GROUP, THE_GROUP, tm_barrier_group_async, NOTHING,
              .leaves = group, .queued = true)
TM_SUBMISSION(dispatch_group_notify, A_GROUP, THE_GROUP, tm_barrier_group_notify, NOTHING,
              .takes = group)

/* libdispatch makes this call a notification of a group. It has to return here, or that one would
 * look like the user's own. */
TM_EXPORT __attribute__((disable_tail_calls)) void
dispatch_block_notify(dispatch_block_t block, dispatch_queue_t queue,
                      dispatch_block_t notification) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  /* This call has no form that takes a function, so the gate makes the notification a work item. */
  tm_item *before = t ? tm_item_of(block) : NULL;
  if (!before) return TM_REAL(dispatch_block_notify)(block, queue, notification);
  if (tm_block_is_item(notification)) {
    tm_item_submit(t, __builtin_frame_address(0), notification, NULL, NULL, before, NULL);
    return TM_REAL(dispatch_block_notify)(block, queue, notification);
  }
  dispatch_block_t item = tm_item_around(notification);
  if (!item) {
    tm_item_drop(before);
    return TM_REAL(dispatch_block_notify)(block, queue, notification);
  }
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  tm_item_submit(t, __builtin_frame_address(0), item, NULL, NULL, before, NULL);
  TM_REAL(dispatch_block_notify)(block, queue, item);
  give(item);
}

TM_GATE_CODE_END
#endif
