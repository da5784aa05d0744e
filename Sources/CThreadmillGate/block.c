#ifdef __linux__
#include "base.h"
#include "block.h"
#include "group.h"
#include "hop.h"
#include "inversion.h"
#include "object.h"
#include "operation.h"
#include "section.h"
#include "shake.h"
#include "swift_task.h"
#include "trace.h"
#include "tsan.h"

TM_GATE_CODE_BEGIN

/* A work item has to reach libdispatch as it is, or its flags, its cancellation and its
 * notifications are lost. So the gate wraps the block *inside* it, when it is created. The wrapper
 * is laid out by hand (published block ABI): a block whose only capture is the record, and whose
 * disposal gives the record up. */

enum { HAS_COPY_DISPOSE = 1 << 25 };

typedef struct descriptor {
  uintptr_t reserved, size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
} descriptor;

void (*tm_item_invoke)(void *);

void tm_item_drop(tm_item *item) {
  if (!item || atomic_fetch_sub(&item->references, 1) != 1) return;
  tm_stamp_drop(&item->from);
  tm_clock_drop(item->end);
  tm_item_drop(item->after);
  tm_group_drop(item->group);
  tm_pool_give(item, sizeof *item);
}

/* A queue that has a quality keeps it, unless the item has a higher one and insists. */
static uint8_t quality_on(const tm_item *item, const void *queue) {
  uint8_t queues = tm_queue_quality(queue);
  bool items = !queues || (item->enforces && item->quality > queues);
  return items ? item->quality : queues;
}

static void run_submitted(tm_thread *t, tm_item *item) {
  const void *queue = tm_current_queue();
  tm_hop hop = {.queue = queue,
                .submitted = queue,
                .from = item->from,
                .scope = item->scope,
                .takes = item->notifies,
                .leaves = item->leaves,
                .group = item->group,
                .after = item->after,
                .work = ((tm_block *)item->user)->invoke,
                .context = item->user,
                .is_block = true};
  hop.quality = quality_on(item, queue);
  hop.task = item->task;
  hop.workers = tm_workers_of(hop.queue);
  hop.submitter = item->submitter;
  hop.ends = item->outer;
  if (TM_UNLIKELY(item->path != 0))
    hop.path = tm_mix(item->path, atomic_fetch_add(&item->runs, 1)) | 1;
  tm_site_copy(hop.site, item->site);
  if (item->raise.since) tm_raise_tell(t, hop.queue, &item->raise, item->site);
  tm_hop_run_here(t, &hop);
}

static void run_item(void *block) {
  tm_item *item = ((tm_wrapper *)block)->item;
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  void (*invoke)(void *) = ((tm_block *)item->user)->invoke;
  if (item->woken_by) tm_tsan_acquire(item->woken_by);
  if (!t || t->inside) return invoke(item->user);
  if (t->pending) {
    tm_section *s = t->pending;
    t->pending = NULL;
    tm_section_does(s, invoke, item->user);
    tm_section_run(s);
  } else if (item->submitted) {
    run_submitted(t, item);
  } else {
    invoke(item->user);
  }
  tm_stamp now = tm_stamp_take(t);
  tm_spin_lock(&item->lock);
  item->end = tm_clock_learn(item->end, now);
  tm_spin_unlock(&item->lock);
  tm_stamp_drop(&now);
}

static void copy_wrapper(void *to, const void *from) { (void)to, (void)from; }

static void dispose_wrapper(const void *block) {
  tm_item *item = ((const tm_wrapper *)block)->item;
  void (*release)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  release(item->user);
  item->user = NULL;
  if (item->outer) tm_object_forget(item->outer);
  tm_item_drop(item);
}

static const descriptor wrapper_descriptor = {0, sizeof(tm_wrapper), copy_wrapper, dispose_wrapper};

/* Swift wraps a closure in a block: its invocation is a thunk of the same image, its only captures
 * are the closure's two words, the function first. */
const void *tm_block_function(const void *block) {
  const tm_block *b = block;
  const void *thunk = (const void *)b->invoke, *const *captures = (const void *const *)(b + 1);
  bool closure = b->flags & HAS_COPY_DISPOSE &&
                 ((const descriptor *)b->descriptor)->size == sizeof *b + 2 * sizeof *captures;
  tm_location of_thunk, of_closure;
  if (!closure || !tm_locate((uintptr_t)thunk, &of_thunk)) return thunk;
  if (!tm_is_known_code((uintptr_t)captures[0])) return thunk;
  if (!tm_locate((uintptr_t)captures[0], &of_closure)) return thunk;
  return of_closure.image == of_thunk.image ? captures[0] : thunk;
}

tm_wrapper tm_item_wrap(tm_item *item, void *block) {
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  item->user = copy(block);
  atomic_store(&item->references, 1);
  return (tm_wrapper){
      {tm_real._NSConcreteStackBlock, HAS_COPY_DISPOSE, 0, run_item, (void *)&wrapper_descriptor},
      item};
}

static void remember(tm_item *item, void *outer) {
  item->outer = outer;
  tm_object *o = tm_object_have(outer, TM_ITEM_KIND);
  if (!o) return;
  o->item = item;
  tm_object_release(outer);
}

tm_item *tm_item_of(const void *outer) {
  tm_object *o = tm_object_find(outer);
  if (!o) return NULL;
  tm_item *item = o->kind == TM_ITEM_KIND ? o->item : NULL;
  if (item) atomic_fetch_add(&item->references, 1);
  tm_object_release(outer);
  return item;
}

void tm_item_submit(tm_thread *t, void *frame, const void *outer, const void *leaves,
                    const void *notifies, tm_item *after, const void *queue) {
  tm_item *item = tm_item_of(outer);
  if (!item) {
    tm_item_drop(after);
    return;
  }
  const void *address = leaves ? leaves : notifies;
  tm_group *group = address ? tm_group_of(address) : NULL;
  if (group && leaves) tm_early_entered(t, frame, group, true);
  if (group && notifies) tm_early_notified(t, frame, group);
  tm_stamp now = tm_stamp_take(t);
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, now);
  tm_spin_lock(&item->lock);
  tm_stamp old = item->from;
  tm_group *old_group = item->group;
  tm_item *old_after = item->after;
  item->from = now;
  item->scope = tm_current_scope();
  item->task = tm_swift_task();
  item->submitter = t->strand;
  item->path = tm_path_of_child(t);
  if (queue) tm_raise_note(t, queue, item->quality, &item->raise);
  tm_site_take_whole(t, frame, item->site);
  item->leaves = leaves, item->notifies = notifies, item->after = after, item->group = group;
  item->submitted = true;
  tm_spin_unlock(&item->lock);
  tm_stamp_drop(&old);
  tm_item_drop(old_after);
  tm_group_drop(old_group);
  tm_item_drop(item);
}

static void do_nothing(void *block) { (void)block; }

void tm_blocks_prepare(void) {
  __typeof__(&dispatch_block_create) create = tm_real.dispatch_block_create;
  void (*release)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  if (!create || !release || !tm_real._NSConcreteStackBlock) return;
  static const descriptor plain = {0, sizeof(tm_block), NULL, NULL};
  tm_block sample = {tm_real._NSConcreteStackBlock, 0, 0, do_nothing, (void *)&plain};
  tm_block *item = create(0, &sample);
  if (!item) return;
  tm_item_invoke = item->invoke;
  release(item);
}

dispatch_block_t tm_item_around(dispatch_block_t block) {
  tm_item *item = tm_pool_take(sizeof(tm_item));
  if (!item) return NULL;
  tm_wrapper w = tm_item_wrap(item, block);
  dispatch_block_t outer = TM_REAL(dispatch_block_create)(0, &w);
  if (outer) remember(item, outer);
  return outer;
}

#define TM_CREATE_ITEM(name, qos, arguments_with, arguments_plain)            \
  tm_caller tm_who;                                                           \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);         \
  tm_item *item = t && tm_item_invoke ? tm_pool_take(sizeof(tm_item)) : NULL; \
  if (!item) return TM_REAL(name) arguments_plain;                            \
  tm_wrapper w = tm_item_wrap(item, block);                                   \
  item->quality = tm_quality(qos);                                            \
  item->enforces = flags & DISPATCH_BLOCK_ENFORCE_QOS_CLASS;                  \
  item->barrier = flags & DISPATCH_BLOCK_BARRIER;                             \
  dispatch_block_t outer = TM_REAL(name) arguments_with;                      \
  if (outer) remember(item, outer);                                           \
  return outer

TM_EXPORT dispatch_block_t dispatch_block_create(unsigned long flags, dispatch_block_t block) {
  TM_CREATE_ITEM(dispatch_block_create, 0, (flags, &w), (flags, block));
}
TM_EXPORT dispatch_block_t dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos,
                                                                int relative,
                                                                dispatch_block_t block) {
  TM_CREATE_ITEM(dispatch_block_create_with_qos_class, qos, (flags, qos, relative, &w),
                 (flags, qos, relative, block));
}
TM_EXPORT void dispatch_block_perform(unsigned long flags, dispatch_block_t block) {
  TM_REAL(dispatch_block_perform)(flags, block);
}
TM_EXPORT void dispatch_block_cancel(dispatch_block_t block) {
  TM_REAL(dispatch_block_cancel)(block);
}
TM_EXPORT intptr_t dispatch_block_testcancel(dispatch_block_t block) {
  return TM_REAL(dispatch_block_testcancel)(block);
}

TM_EXPORT intptr_t dispatch_block_wait(dispatch_block_t block, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_block_wait)(block, until);
  TM_POINT(t, BEFORE, block);
  tm_operation op = {.action = TM_WAIT,
                     .object = block,
                     .kind = TM_WORK_ITEM,
                     .frame = __builtin_frame_address(0),
                     .polls = until == 0,
                     .bounded = until != DISPATCH_TIME_FOREVER};
  tm_item *item = tm_item_of(block);
  tm_site_take(t, op.frame, op.site);
  tm_wait_begin(t, &op, true);
  tm_may_starve(t);
  if (item && tm_can_be_inverted(t)) tm_inversion_begin(t, &op);
  intptr_t result = TM_REAL(dispatch_block_wait)(block, until);
  tm_wait_end(t);
  if (op.inversion) tm_inversion_end(t, &op);
  if (item && result == 0) tm_item_learn(t, item);
  tm_item_drop(item);
  TM_POINT(t, WAKE, NULL);
  return result;
}

void tm_item_learn(tm_thread *t, tm_item *item) {
  tm_spin_lock(&item->lock);
  tm_clock *end = tm_clock_keep(item->end);
  tm_spin_unlock(&item->lock);
  if (!end) return;
  tm_learn(t, (tm_stamp){end, 0, 0});
  tm_clock_drop(end);
}

TM_GATE_CODE_END
#endif
