#ifdef __linux__
#include "barrier.h"
#include "base.h"
#include "block.h"
#include "control.h"
#include "due.h"
#include "group.h"
#include "hop.h"
#include "main_queue.h"
#include "inversion.h"
#include "job.h"
#include "operation.h"
#include "section.h"
#include "shake.h"
#include "swift_task.h"
#include "trace.h"

TM_GATE_CODE_BEGIN

const void *tm_current_queue(void) {
  void *(*current)(void) = TM_HELPER(void *(*)(void), dispatch_get_current_queue);
  return current ? current() : NULL;
}

static void begin(tm_thread *t, const tm_hop *hop) {
  if (hop->takes && hop->group) tm_group_take_stamp(t, hop->group);
  if (hop->after) tm_item_learn(t, hop->after);
}

static void finish(tm_thread *t, const tm_hop *hop, const tm_link *links, uint32_t count) {
  tm_swift_task_learn(t);
  tm_stamp end = tm_strand_over(t);
  for (uint32_t i = 0; i < count; i++)
    tm_history_leave(&links[i], hop->from.slot, hop->from.time, end);
  if (hop->leaves) {
    if (hop->group) tm_group_leave_at(hop->group, end);
    tm_let_go(t, hop->leaves, NULL);
  }
  if (hop->ends) tm_let_go(t, hop->ends, NULL);
  if (hop->task && !hop->aside) tm_swift_task_leave_at(hop->task, end);
}

static tm_origin origin_of(const tm_hop *hop) {
  const void *job = hop->job ? hop->context : NULL;
  tm_origin origin = {.quality = hop->quality,
                      .submitter = hop->submitter,
                      .runs = {hop->submitted, hop->leaves, job},
                      .path = hop->path};
  tm_site_copy(origin.submitted, hop->site);
  return origin;
}

/* A job is known by what it runs: all of them are submitted in the runtime. */
TM_SLOW static void begin_point(tm_thread *t, const tm_hop *hop) {
  uintptr_t place = hop->job ? tm_job_place(hop) : tm_shake_place(hop->site);
  tm_shake_point(t, TM_POINT_BEGIN, NULL, place);
}

void tm_hop_run_here(tm_thread *t, const tm_hop *hop) {
  tm_aside aside;
  tm_link links[TM_CHAIN];
  uint32_t count = hop->queue ? tm_queue_chain(hop->queue, hop->barrier, links) : 0;
  tm_workers *outer = atomic_load_explicit(&t->workers, memory_order_relaxed);
  tm_origin origin = origin_of(hop);
  tm_strand_begin(t, hop->from, hop->scope, &origin, &aside);
  atomic_store_explicit(&t->workers, hop->workers, memory_order_relaxed);
  begin(t, hop);
  tm_links_enter(t, links, count, hop->site);
  if (TM_UNLIKELY(tm_is_jittered(t))) begin_point(t, hop);
  bool traced = TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t);
  tm_trace_run run = {0, 0};
  if (traced) run = tm_trace_run_begin(t, hop->from);
  bool main = hop->queue && hop->queue == tm_main_queue;
  uint64_t since = TM_UNLIKELY(main) ? tm_main_block_begin() : 0;
  if (hop->job) tm_job_run(t, hop);
  else hop->work(hop->context);
  if (traced) tm_trace_run_end(t, run, hop->job, hop->site);
  if (TM_UNLIKELY(since != 0)) tm_main_block_over(t, hop, since);
  tm_links_leave(t, links, count);
  finish(t, hop, links, count);
  if (TM_UNLIKELY(t->watched)) tm_workers_unwatch(t);
  atomic_store_explicit(&t->workers, outer, memory_order_relaxed);
  tm_strand_end(t, &aside);
}

static void release(tm_thread *t, tm_hop *hop) {
  if (hop->workers && hop->barrier) tm_workers_count(t, hop->workers, TM_WORK_BARRIER, -1);
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  if (hop->is_block) give(hop->context);
  tm_stamp_drop(&hop->from);
  tm_item_drop(hop->after);
  if (hop->group && hop->leaves) tm_group_block_over(hop->group, hop->place);
  tm_group_drop(hop->group);
  tm_pool_give(hop, sizeof *hop);
}

/* It waits no longer. */
static void arrive(tm_thread *t, tm_hop *hop) {
  atomic_store_explicit(&hop->waiting, 0, memory_order_relaxed);
  if (hop->queued && hop->queue == tm_main_queue) tm_main_block_begun();
  if (hop->counted) tm_backlog_remove(hop->queue);
  if (TM_UNLIKELY(hop->path != 0) && hop->queued) tm_shake_due(hop->submitted, -1);
  if (hop->awaits_thread) tm_workers_count(t, hop->workers, TM_WORK_WAITS, -1);
}

static void land(void *context) {
  tm_hop *hop = context;
  /* Another processor wrote it. */
  for (size_t at = 64; at < sizeof *hop; at += 64) __builtin_prefetch((char *)hop + at);
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  if (!hop->aside) arrive(t, hop);
  hop->aside = false;
  if (t && !t->inside) tm_hop_run_here(t, hop);
  else hop->work(hop->context);
  if (!hop->aside) release(t, hop);
}

const tm_hop *tm_hop_in(dispatch_function_t work, const void *context) {
  return work == land ? context : NULL;
}

void tm_hop_set_aside(tm_thread *t, tm_hop *hop) {
  tm_stamp_drop(&hop->from);
  hop->from = tm_stamp_take(t);
  hop->aside = true;
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, hop->from);
}

static void invoke(void *block) { ((tm_block *)block)->invoke(block); }

/* The queue behind the pool of Swift's jobs is nobody's to hold; the main queue is. */
static const void *holdable(const void *queue, tm_caller who) {
  return who == TM_CALLER_RUNTIME && queue != tm_main_queue ? NULL : queue;
}

static void join_group(tm_thread *t, void *frame, tm_hop *hop) {
  const void *group = hop->leaves ? hop->leaves : hop->takes;
  if (!group || !(hop->group = tm_group_of(group))) return;
  if (hop->takes) return tm_early_notified(t, frame, hop->group);
  hop->place = tm_group_block(t, hop->group, hop);
  tm_early_entered(t, frame, hop->group, true);
}

/* Asked first, because most submissions go to a queue that had one before. */
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

static void queue_up(tm_thread *t, tm_hop *hop) {
  tm_link links[TM_CHAIN];
  tm_workers *w = tm_workers_of(hop->submitted);
  hop->workers = w;
  bool is_pools = w && w->cooperative && !hop->queue;
  uint32_t count = is_pools ? 0 : tm_queue_chain(hop->submitted, hop->barrier, links);
  if (count && hop->queue) expect_on(hop->queue);
  if (!w) return;
  if (hop->barrier) tm_workers_count(t, w, TM_WORK_BARRIER, 1);
  /* What is under control gets a thread when its turn comes. */
  bool could_run = w->cooperative || needs_only_thread(links, count);
  hop->awaits_thread = hop->queued && !t->seat && could_run;
  if (hop->awaits_thread) tm_workers_count(t, w, TM_WORK_WAITS, 1);
}

/* A hop like `wish`, from here; NULL if the call is not the user's or memory is out. */
static tm_hop *depart(tm_thread *t, void *frame, tm_hop wish) {
  tm_hop *hop = tm_pool_take_as_is(sizeof(tm_hop));
  if (!hop) return NULL;
  *hop = wish;
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  if (wish.is_block) hop->context = copy(wish.context);
  hop->task = tm_swift_task();
  /* Where a task leads another one on after its end, is no place of the user's. */
  bool leads_on = hop->job && !hop->task && tm_control_runs_task(t);
  if (!leads_on) tm_site_take_whole(t, frame, hop->site);
  hop->from = tm_stamp_take(t);
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, hop->from);
  hop->scope = tm_current_scope();
  atomic_store_explicit(&hop->waiting, TM_HOP_WAITS, memory_order_relaxed);
  join_group(t, frame, hop);
  hop->submitter = t->strand;
  hop->path = tm_path_of_child(t);
  if (TM_UNLIKELY(hop->path != 0) && hop->queued) tm_shake_due(hop->submitted, 1);
  if (hop->queued && hop->queue == tm_main_queue) tm_main_block_queued();
  hop->counted = hop->queued && hop->queue && tm_backlog_add(hop->queue, hop->quality);
  queue_up(t, hop);
  return hop;
}

static tm_hop *depart_function(void *return_address, void *frame, tm_hop wish) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t && wish.takes) tm_early_waited(wish.takes);
  if (!t) return NULL;
  tm_point_at(t, who, TM_POINT_BEFORE, wish.submitted, (uintptr_t)return_address);
  wish.job = who == TM_CALLER_RUNTIME && wish.context;
  /* Swift's jobs come on a queue for each priority; medium is what nobody chose. */
  wish.quality = tm_queue_quality(wish.queue);
  if (who == TM_CALLER_RUNTIME && wish.quality == TM_DEFAULT) wish.quality = 0;
  wish.queue = holdable(wish.queue, who);
  return depart(t, frame, wish);
}

/* A work item goes as it is, and remembers its submission; any other block goes as a hop. */
static tm_hop *depart_block(void *return_address, void *frame, tm_hop wish) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t && wish.takes) tm_early_waited(wish.takes);
  if (!t) return NULL;
  tm_point_at(t, who, TM_POINT_BEFORE, wish.submitted, (uintptr_t)return_address);
  if (tm_block_is_item(wish.context)) {
    tm_item_submit(t, frame, wish.context, wish.leaves, wish.takes, NULL,
                   wish.queued ? wish.queue : NULL);
    return NULL;
  }
  wish.is_block = true;
  wish.quality = tm_queue_quality(wish.queue);
  wish.work = invoke;
  return depart(t, frame, wish);
}

/* The work may begin, and end, before its submitter goes on. */
TM_SLOW static void submitted(void *return_address) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (t) tm_point_at(t, who, TM_POINT_AFTER, NULL, (uintptr_t)return_address);
}

/* Defines a submission in its two forms. `PARAMETER` and `ARGUMENT` are what comes before the
 * queue, with a comma; `AS_BARRIER` how a barrier goes that TSan would lose; `NOTE` is done whoever
 * calls. */
#define TM_SUBMISSION(name, PARAMETER, ARGUMENT, AS_BARRIER, NOTE, ...)                            \
  TM_EXPORT void name(PARAMETER dispatch_queue_t queue, dispatch_block_t block) {                  \
    NOTE;                                                                                          \
    tm_hop *hop =                                                                                  \
        depart_block(__builtin_return_address(0), __builtin_frame_address(0),                      \
                     (tm_hop){.queue = queue, .submitted = queue, .context = block, __VA_ARGS__}); \
    bool shaken = hop && TM_UNLIKELY(tm_is_shaken(tm_self));                                       \
    if (hop) TM_REAL(name##_f)(ARGUMENT queue, hop, land);                                         \
    if (shaken) submitted(__builtin_return_address(0));                                            \
    if (hop) return;                                                                               \
    if (tm_barrier_is_lost(block)) return AS_BARRIER(ARGUMENT queue, block);                       \
    TM_REAL(name)(ARGUMENT queue, block);                                                          \
  }                                                                                                \
  TM_EXPORT void name##_f(PARAMETER dispatch_queue_t queue, void *context,                         \
                          dispatch_function_t work) {                                              \
    NOTE;                                                                                          \
    tm_hop *hop = depart_function(                                                                 \
        __builtin_return_address(0), __builtin_frame_address(0),                                   \
        (tm_hop){                                                                                  \
            .queue = queue, .submitted = queue, .context = context, .work = work, __VA_ARGS__});   \
    if (!hop) return TM_REAL(name##_f)(ARGUMENT queue, context, work);                             \
    bool shaken = TM_UNLIKELY(tm_is_shaken(tm_self)) && !hop->job;                                 \
    TM_REAL(name##_f)(ARGUMENT queue, hop, land);                                                  \
    if (shaken) submitted(__builtin_return_address(0));                                            \
  }

#define NOTHING
#define A_GROUP dispatch_group_t group,
#define THE_GROUP group,
#define A_TIME dispatch_time_t when,
#define THE_TIME when,

TM_SUBMISSION(dispatch_async, NOTHING, NOTHING, tm_barrier_async, NOTHING, .queued = true)
TM_SUBMISSION(dispatch_barrier_async, NOTHING, NOTHING, tm_barrier_async, NOTHING, .barrier = true,
              .queued = true)
/* libdispatch makes no barrier of what comes later, either. */
TM_SUBMISSION(dispatch_after, A_TIME, THE_TIME, TM_REAL(dispatch_after),
              tm_due_note(when = tm_due_later(when, __builtin_return_address(0)), 0),
              .barrier = false)
TM_SUBMISSION(dispatch_group_async, A_GROUP, THE_GROUP, tm_barrier_group_async, NOTHING,
              .leaves = group, .queued = true)
TM_SUBMISSION(dispatch_group_notify, A_GROUP, THE_GROUP, tm_barrier_group_notify, NOTHING,
              .takes = group)

typedef struct visit {
  void (*visit)(const tm_hop *, void *);
  void *context;
} visit;

static void visit_hop(void *block, void *context) {
  tm_hop *hop = block;
  visit *v = context;
  if (atomic_load_explicit(&hop->waiting, memory_order_relaxed) == TM_HOP_WAITS)
    v->visit(hop, v->context);
}

void tm_hops_each(void (*visitor)(const tm_hop *, void *), void *context) {
  visit v = {visitor, context};
  tm_pool_each(sizeof(tm_hop), visit_hop, &v);
}

TM_EXPORT void dispatch_block_notify(dispatch_block_t block, dispatch_queue_t queue,
                                     dispatch_block_t notification) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  /* There is no form of this call that takes a function: the notification is made a work item of
   * its own. */
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
