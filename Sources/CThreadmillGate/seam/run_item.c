#ifdef __linux__
#include "ground/base.h"
#include "seam/run_item.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/group.h"
#include "object/hop.h"
#include "object/item.h"
#include "object/object.h"
#include "object/pools.h"
#include "object/queue.h"
#include "observe/early.h"
#include "observe/inversion.h"
#include "observe/leaving.h"
#include "observe/trace.h"
#include "seam/run_hop.h"
#include "seam/section.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/course.h"
#include "strand/errand.h"
#include "strand/strand.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* A work item has to reach libdispatch unchanged, else its flags, its cancellation and its
 * notifications are lost. So the gate wraps the block *inside* it, when it is created. The wrapper
 * is laid out by hand (published block ABI): a block whose only capture is the record, and whose
 * disposal drops the record. */

/* Returns the quality at which the item runs: the queue's, unless the queue has none, or the item
 * enforces a higher one. */
static uint8_t quality_on(const tm_item *item, const void *queue) {
  uint8_t queues = tm_queue_quality(queue);
  bool items = !queues || (item->enforces && item->quality > queues);
  return items ? item->quality : queues;
}

static void run_submitted(tm_thread *t, tm_item *item) {
  const void *queue = tm_current_queue();
  tm_hop hop = {.connected = true,
                .queue = queue,
                .submitted = queue,
                .from = item->from,
                .scope = item->scope,
                .takes = item->notifies,
                .leaves = item->leaves,
                .group = item->group,
                .after = item->after,
                .source = item->source,
                .woken_by = item->woken_by,
                .operations = item->operations,
                .edge = &item->sent,
                .ended = &item->ended,
                .barrier = item->barrier && !tm_queue_is_root(queue),
                .work = ((tm_block *)item->user)->invoke,
                .context = item->user,
                .is_block = true};
  hop.quality = quality_on(item, queue);
  hop.task = item->task;
  hop.workers = tm_workers_of(hop.queue);
  hop.submitter = item->submitter;
  hop.ends = item->outer;
  hop.item = item;
  if (TM_UNLIKELY(item->path != 0))
    hop.path = tm_mix(item->path, atomic_fetch_add(&item->runs, 1)) | 1;
  tm_site_copy(hop.site, item->site);
  if (item->raise.since) tm_raise_tell(t, hop.queue, &item->raise, item->site);
  tm_clock_keep(hop.from.clock); /* the item may be submitted again while it runs */
  tm_hop_run_here(t, &hop);
  tm_stamp_drop(&hop.from);
}

static void run_item(void *block) {
  tm_item *item = ((tm_wrapper *)block)->item;
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  void (*invoke)(void *) = ((tm_block *)item->user)->invoke;
  if (!t || t->ground.inside) {
    tm_edge_end(&item->sent);
    return invoke(item->user);
  }
  if (t->seam.pending) {
    tm_section *s = t->seam.pending;
    t->seam.pending = NULL;
    tm_section_does(s, invoke, item->user);
    tm_section_run(s);
  } else if (item->submitted) {
    return run_submitted(t, item);
  } else {
    tm_edge_end(&item->sent);
    if (item->woken_by) tm_tsan_acquire(item->woken_by);
    if (item->operations) tm_operations_begin(t, item->operations);
    invoke(item->user);
    tm_edge_add(&item->ended);
  }
  tm_stamp now = tm_stamp_take(t);
  tm_item_leave_at(item, now);
  tm_stamp_drop(&now);
}

static void copy_wrapper(void *to, const void *from) { (void)to, (void)from; }

static void release_users(const tm_item *item) {
  void (*release)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  release(item->user);
}

/* The end of the user's block comes after the item's, and what it destroys may pass that on. The
 * strand that happens to drop the last reference does not: nothing promises it that order. So the
 * end is a strand of its own, which nothing comes after. */
TM_SLOW static void release_apart(tm_thread *t, tm_item *item) {
  tm_aside aside;
  tm_origin origin = t->strand.origin;
  tm_beginning beginning = {.known = {.from = tm_stamp_take(t)},
                            .edge = &item->sent,
                            .scope = tm_current_scope(),
                            .apart = true,
                            .errand = tm_errand_number(TM_RACE_BLOCK, NULL, item->site)};
  tm_edge_add(&item->sent);
  tm_spin_lock(&item->lock);
  tm_known_add(&beginning.known, item->end, 0);
  tm_spin_unlock(&item->lock);
  tm_strand_begin(t, &beginning, &origin, &aside);
  tm_item_learn(t, item);
  tm_edge_end(&item->ended);
  release_users(item);
  tm_strand_over(t);
  tm_strand_end(t, &aside);
  tm_known_drop(&beginning.known);
  tm_stamp_drop(&beginning.known.from);
}

/* A worker between two strands has nothing to pass on. */
static bool is_idle(const tm_thread *t) { return t->who.is_library && !t->strand.working; }

static void dispose_wrapper(const void *block) {
  tm_item *item = ((const tm_wrapper *)block)->item;
  tm_thread *t = tm_fibres_on && tm_is_active() ? tm_self : NULL;
  if (t && !t->ground.inside && !is_idle(t) && item->end) {
    release_apart(t, item);
  } else {
    tm_edge_end(&item->ended);
    release_users(item);
  }
  item->user = NULL;
  if (item->outer) tm_object_forget(item->outer);
  tm_item_drop(item);
}

static const tm_block_descriptor wrapper_descriptor = {0, sizeof(tm_wrapper), copy_wrapper,
                                                       dispose_wrapper};

tm_wrapper tm_item_wrap(tm_item *item, void *block) {
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  item->user = copy(block);
  atomic_store(&item->references, 1);
  tm_edge_begin(&item->sent);
  tm_edge_begin(&item->ended);
  return (tm_wrapper){{tm_real._NSConcreteStackBlock, TM_BLOCK_HAS_COPY_DISPOSE, 0, run_item,
                       (void *)&wrapper_descriptor},
                      item};
}

/* The item's strand comes after this moment of this strand. Returns the stamp that the item had,
 * which is the caller's to drop. */
static tm_stamp note_origin(tm_thread *t, void *frame, tm_item *item) {
  tm_stamp before = item->from;
  tm_edge_add(&item->sent);
  item->from = tm_stamp_take(t);
  if (TM_UNLIKELY(tm_is_profiling(t)) && tm_is_traced(t)) tm_trace_submitted(t, item->from);
  item->scope = tm_current_scope();
  item->task = tm_swift_task();
  item->submitter = t->strand.id;
  item->path = tm_path_of_child(t);
  tm_site_take_whole(t, frame, item->site);
  return before;
}

void tm_item_made(tm_thread *t, void *frame, tm_item *item) {
  const void *queue = t->observe.adding;
  void *invoke = (void *)((tm_block *)item->user)->invoke;
  if (TM_LIKELY(!queue) || tm_caller_of(t, invoke) != TM_CALLER_FOUNDATION) return;
  item->operations = queue;
  note_origin(t, frame, item);
}

bool tm_item_submit(tm_thread *t, void *frame, const void *outer, const void *leaves,
                    const void *notifies, tm_item *after, const void *queue) {
  tm_item *item = tm_item_of(outer);
  if (!item) {
    tm_item_drop(after);
    return false;
  }
  const void *address = leaves ? leaves : notifies;
  tm_group *group = address ? tm_group_of(address) : NULL;
  if (group && leaves) tm_early_entered(t, frame, group, true);
  if (group && notifies) tm_early_notified(t, frame, group);
  if (group && leaves) tm_edge_add(&group->left); /* a cancelled item leaves without running */
  tm_spin_lock(&item->lock);
  tm_stamp old = {0};
  if (!item->operations) old = note_origin(t, frame, item);
  tm_group *old_group = item->group;
  tm_item *old_after = item->after;
  if (queue) tm_raise_note(t, queue, item->quality, &item->raise);
  item->leaves = leaves, item->notifies = notifies, item->after = after, item->group = group;
  item->submitted = true;
  tm_spin_unlock(&item->lock);
  tm_stamp_drop(&old);
  tm_item_drop(old_after);
  tm_group_drop(old_group);
  tm_item_drop(item);
  return true;
}

dispatch_block_t tm_item_around(dispatch_block_t block) {
  tm_item *item = tm_pool_take(sizeof(tm_item));
  if (!item) return NULL;
  tm_wrapper w = tm_item_wrap(item, block);
  dispatch_block_t outer = TM_REAL(dispatch_block_create)(0, &w);
  if (outer) tm_item_remember(item, outer);
  return outer;
}

TM_GATE_CODE_END
#endif
