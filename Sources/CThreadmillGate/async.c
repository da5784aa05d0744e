#ifdef __linux__
#include "base.h"
#include "block.h"
#include "due.h"
#include "hop.h"
#include "inversion.h"
#include "operation.h"
#include "section.h"
#include "swift_task.h"

TM_GATE_CODE_BEGIN

const void *tm_current_queue(void) {
  void *(*current)(void) = TM_HELPER(void *(*)(void), dispatch_get_current_queue);
  return current ? current() : NULL;
}

static void begin(tm_thread *t, const tm_hop *hop) {
  if (hop->takes) tm_object_take_stamp(t, hop->takes);
  if (hop->after) tm_item_learn(t, hop->after);
}

static const uintptr_t nowhere[TM_SITE];

static void finish(tm_thread *t, const tm_hop *hop, const tm_link *links, uint32_t count) {
  tm_swift_task_learn(t);
  for (uint32_t i = 0; i < count; i++)
    tm_history_leave(t, &links[i], hop->from.slot, hop->from.time);
  if (hop->leaves) {
    tm_object_leave_stamp(t, hop->leaves, TM_GROUP);
    tm_let_go(t, hop->leaves, nowhere);
  }
  if (hop->ends) tm_let_go(t, hop->ends, nowhere);
  if (hop->task) tm_swift_task_leave(t, hop->task);
}

void tm_hop_run_here(tm_thread *t, const tm_hop *hop) {
  tm_aside aside;
  tm_link links[TM_CHAIN];
  uint32_t count = hop->queue ? tm_queue_chain(hop->queue, hop->barrier, links) : 0;
  tm_strand_begin(t, hop->from, hop->scope, &aside);
  tm_strand_origin(t, hop->quality, hop->submitter, hop->site);
  begin(t, hop);
  tm_links_enter(t, links, count, hop->site);
  hop->work(hop->context);
  tm_links_leave(t, links, count);
  finish(t, hop, links, count);
  tm_strand_end(t, &aside);
}

static void release(tm_hop *hop) {
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  if (hop->is_block) give(hop->context);
  tm_stamp_drop(&hop->from);
  tm_item_drop(hop->after);
  tm_pool_give(hop, sizeof *hop);
}

static void land(void *context) {
  tm_hop *hop = context;
  if (hop->counted) tm_backlog_remove(hop->queue);
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  if (t && !t->inside) tm_hop_run_here(t, hop);
  else hop->work(hop->context);
  release(hop);
}

static void invoke(void *block) { ((tm_block *)block)->invoke(block); }

/* The queue behind the pool of Swift's jobs is nobody's to hold; the main queue is. */
static const void *holdable(const void *queue, tm_caller who) {
  return who == TM_CALLER_RUNTIME && queue != tm_main_queue ? NULL : queue;
}

static void expect_on(const tm_hop *hop) {
  tm_link links[TM_CHAIN];
  if (tm_queue_chain(hop->queue, hop->barrier, links))
    atomic_fetch_or_explicit(tm_generation(hop->queue), 1, memory_order_relaxed);
}

/* A hop like `wish`, from here; NULL if the call is not the user's or memory is out. */
static tm_hop *depart(tm_thread *t, void *frame, tm_hop wish) {
  tm_hop *hop = tm_pool_take(sizeof(tm_hop));
  if (!hop) return NULL;
  *hop = wish;
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  if (wish.is_block) hop->context = copy(wish.context);
  tm_site_take_whole(t, frame, hop->site);
  hop->from = tm_stamp_take(t);
  hop->scope = tm_current_scope();
  hop->task = tm_swift_task();
  hop->submitter = t->strand;
  hop->counted = hop->queued && hop->queue && tm_backlog_add(hop->queue, hop->quality);
  expect_on(hop);
  return hop;
}

static tm_hop *depart_function(void *return_address, void *frame, tm_hop wish) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t) return NULL;
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
  if (!t) return NULL;
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

/* Defines a submission in its two forms. `PARAMETER` and `ARGUMENT` are what comes before the
 * queue, with a comma; `NOTE` is done whoever calls. */
#define TM_SUBMISSION(name, PARAMETER, ARGUMENT, NOTE, ...)                                       \
  TM_EXPORT void name(PARAMETER dispatch_queue_t queue, dispatch_block_t block) {                 \
    NOTE;                                                                                         \
    tm_hop *hop = depart_block(__builtin_return_address(0), __builtin_frame_address(0),           \
                               (tm_hop){.queue = queue, .context = block, __VA_ARGS__});          \
    if (!hop) return TM_REAL(name)(ARGUMENT queue, block);                                        \
    TM_REAL(name##_f)(ARGUMENT queue, hop, land);                                                 \
  }                                                                                               \
  TM_EXPORT void name##_f(PARAMETER dispatch_queue_t queue, void *context,                        \
                          dispatch_function_t work) {                                             \
    NOTE;                                                                                         \
    tm_hop *hop =                                                                                 \
        depart_function(__builtin_return_address(0), __builtin_frame_address(0),                  \
                        (tm_hop){.queue = queue, .context = context, .work = work, __VA_ARGS__}); \
    if (!hop) return TM_REAL(name##_f)(ARGUMENT queue, context, work);                            \
    TM_REAL(name##_f)(ARGUMENT queue, hop, land);                                                 \
  }

#define NOTHING
#define A_GROUP dispatch_group_t group,
#define THE_GROUP group,
#define A_TIME dispatch_time_t when,
#define THE_TIME when,

TM_SUBMISSION(dispatch_async, NOTHING, NOTHING, NOTHING, .queued = true)
TM_SUBMISSION(dispatch_barrier_async, NOTHING, NOTHING, NOTHING, .barrier = true, .queued = true)
TM_SUBMISSION(dispatch_after, A_TIME, THE_TIME, tm_due_note(when, 0), .barrier = false)
TM_SUBMISSION(dispatch_group_async, A_GROUP, THE_GROUP, NOTHING, .leaves = group, .queued = true)
TM_SUBMISSION(dispatch_group_notify, A_GROUP, THE_GROUP, NOTHING, .takes = group)

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
