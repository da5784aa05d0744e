#include "base.h"
#include "block.h"
#include "hop.h"
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

static void finish(tm_thread *t, const tm_hop *hop, const tm_link *links, uint32_t count) {
  tm_swift_task_learn(t);
  for (uint32_t i = 0; i < count; i++) tm_history_leave(t, &links[i], hop->from.slot, hop->from.time);
  if (hop->leaves) tm_object_leave_stamp(t, hop->leaves, TM_GROUP);
  if (hop->task) tm_swift_task_leave(t, hop->task);
}

void tm_hop_run_here(tm_thread *t, const tm_hop *hop) {
  static const uintptr_t nowhere[2];
  tm_aside aside;
  tm_link links[TM_CHAIN];
  uint32_t count = hop->queue ? tm_queue_chain(hop->queue, hop->barrier, links) : 0;
  tm_strand_begin(t, hop->from, hop->scope, &aside);
  begin(t, hop);
  tm_links_enter(t, links, count, nowhere);
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
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  if (t && !t->inside) tm_hop_run_here(t, hop);
  else hop->work(hop->context);
  release(hop);
}

static void invoke(void *block) { ((tm_block *)block)->invoke(block); }

/* A hop from here, or NULL when memory is out. `work` NULL: `context` is a block. */
static tm_hop *hop_make(tm_thread *t, const void *queue, bool barrier, void *context, dispatch_function_t work) {
  tm_hop *hop = tm_pool_take(sizeof(tm_hop));
  if (!hop) return NULL;
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  hop->queue = queue;
  hop->barrier = barrier;
  hop->is_block = work == NULL;
  hop->work = work ? work : invoke;
  hop->context = work ? context : copy(context);
  hop->from = tm_stamp_take(t);
  hop->scope = tm_current_scope();
  hop->task = tm_swift_task();
  tm_link links[TM_CHAIN];
  if (tm_queue_chain(queue, barrier, links)) atomic_fetch_or_explicit(tm_generation(queue), 1, memory_order_relaxed);
  return hop;
}

#define TM_ASYNC(name, barrier)                                                                    \
  TM_EXPORT void name(dispatch_queue_t queue, dispatch_block_t block) {                            \
    tm_caller tm_who;                                                                             \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                           \
    bool item = t && tm_block_is_item(block);                                                     \
    if (item) tm_item_submit(t, block, NULL, NULL, NULL);                                         \
    tm_hop *hop = t && !item ? hop_make(t, queue, barrier, block, NULL) : NULL;                    \
    if (!hop) return TM_REAL(name)(queue, block);                                                 \
    TM_REAL(name##_f)(queue, hop, land);                                                          \
  }                                                                                               \
  TM_EXPORT void name##_f(dispatch_queue_t queue, void *context, dispatch_function_t work) {       \
    tm_caller tm_who;                                                                             \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                           \
    tm_hop *hop = t ? hop_make(t, queue, barrier, context, work) : NULL;                          \
    if (!hop) return TM_REAL(name##_f)(queue, context, work);                                     \
    TM_REAL(name##_f)(queue, hop, land);                                                          \
  }

TM_ASYNC(dispatch_async, false)
TM_ASYNC(dispatch_barrier_async, true)

TM_EXPORT void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  bool item = t && tm_block_is_item(block);
  if (item) tm_item_submit(t, block, NULL, NULL, NULL);
  tm_hop *hop = t && !item ? hop_make(t, queue, false, block, NULL) : NULL;
  if (!hop) return TM_REAL(dispatch_after)(when, queue, block);
  TM_REAL(dispatch_after_f)(when, queue, hop, land);
}

TM_EXPORT void dispatch_after_f(dispatch_time_t when, dispatch_queue_t queue, void *context, dispatch_function_t work) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_hop *hop = t ? hop_make(t, queue, false, context, work) : NULL;
  if (!hop) return TM_REAL(dispatch_after_f)(when, queue, context, work);
  TM_REAL(dispatch_after_f)(when, queue, hop, land);
}

TM_EXPORT void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  bool item = t && tm_block_is_item(block);
  if (item) tm_item_submit(t, block, group, NULL, NULL);
  tm_hop *hop = t && !item ? hop_make(t, queue, false, block, NULL) : NULL;
  if (!hop) return TM_REAL(dispatch_group_async)(group, queue, block);
  hop->leaves = group;
  TM_REAL(dispatch_group_async_f)(group, queue, hop, land);
}

TM_EXPORT void dispatch_group_async_f(dispatch_group_t group, dispatch_queue_t queue, void *context,
                                      dispatch_function_t work) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_hop *hop = t ? hop_make(t, queue, false, context, work) : NULL;
  if (!hop) return TM_REAL(dispatch_group_async_f)(group, queue, context, work);
  hop->leaves = group;
  TM_REAL(dispatch_group_async_f)(group, queue, hop, land);
}

TM_EXPORT void dispatch_group_notify(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  bool item = t && tm_block_is_item(block);
  if (item) tm_item_submit(t, block, NULL, group, NULL);
  tm_hop *hop = t && !item ? hop_make(t, queue, false, block, NULL) : NULL;
  if (!hop) return TM_REAL(dispatch_group_notify)(group, queue, block);
  hop->takes = group;
  TM_REAL(dispatch_group_notify_f)(group, queue, hop, land);
}

TM_EXPORT void dispatch_group_notify_f(dispatch_group_t group, dispatch_queue_t queue, void *context,
                                       dispatch_function_t work) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_hop *hop = t ? hop_make(t, queue, false, context, work) : NULL;
  if (!hop) return TM_REAL(dispatch_group_notify_f)(group, queue, context, work);
  hop->takes = group;
  TM_REAL(dispatch_group_notify_f)(group, queue, hop, land);
}

TM_EXPORT void dispatch_block_notify(dispatch_block_t block, dispatch_queue_t queue, dispatch_block_t notification) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  /* There is no form of this call that takes a function: the notification is made a work item of its own. */
  tm_item *before = t ? tm_item_of(block) : NULL;
  if (!before) return TM_REAL(dispatch_block_notify)(block, queue, notification);
  if (tm_block_is_item(notification)) {
    tm_item_submit(t, notification, NULL, NULL, before);
    return TM_REAL(dispatch_block_notify)(block, queue, notification);
  }
  dispatch_block_t item = dispatch_block_create(0, notification);
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  tm_item_submit(t, item, NULL, NULL, before);
  TM_REAL(dispatch_block_notify)(block, queue, item);
  give(item);
}

/* The iterations of an apply are strands of their own, also those that happen to run on the caller's thread. */
typedef struct loop {
  tm_stamp from;
  uint32_t scope;
  void *context;
  void (*work)(void *, size_t);
  tm_spin lock;
  tm_clock *end;
} loop;

static void iterate(void *context, size_t index) {
  loop *l = context;
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  if (!t || t->inside) return l->work(l->context, index);
  tm_aside aside;
  tm_strand_begin(t, l->from, l->scope, &aside);
  l->work(l->context, index);
  tm_stamp now = tm_stamp_take(t);
  tm_spin_lock(&l->lock);
  l->end = tm_clock_learn(l->end, now);
  tm_spin_unlock(&l->lock);
  tm_stamp_drop(&now);
  tm_strand_end(t, &aside);
}

static void apply(tm_thread *t, size_t count, dispatch_queue_t queue, loop *l) {
  l->from = tm_stamp_take(t);
  l->scope = tm_current_scope();
  TM_REAL(dispatch_apply_f)(count, queue, l, iterate);
  if (l->end) tm_learn(t, (tm_stamp){l->end, 0, 0});
  tm_clock_drop(l->end);
  tm_stamp_drop(&l->from);
}

static void invoke_at(void *block, size_t index) {
  ((void (*)(void *, size_t))((tm_block *)block)->invoke)(block, index);
}

TM_EXPORT void dispatch_apply(size_t count, dispatch_queue_t queue, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_apply)(count, queue, block);
  loop l = {.context = block, .work = invoke_at};
  apply(t, count, queue, &l);
}

TM_EXPORT void dispatch_apply_f(size_t count, dispatch_queue_t queue, void *context, void (*work)(void *, size_t)) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_apply_f)(count, queue, context, work);
  loop l = {.context = context, .work = work};
  apply(t, count, queue, &l);
}

TM_GATE_CODE_END
