#ifdef __linux__
#include "ground/base.h"
#include "observe/group_wait.h"
#include "ground/layout.h"
#include "ground/lock.h"
#include "ground/thread.h"
#include "object/group.h"
#include "object/hop.h"
#include "object/object.h"
#include "object/queue.h"
#include "strand/hold.h"
#include "strand/steps.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Reports a thread that waits for a group inside the queue that has to run the group's block. That
 * is certain only for a block that libdispatch has and that has not begun, on the way to a serial
 * queue that this thread has to itself. Enters by hand, work items, and blocks on the queues of
 * others may end without this thread. */

typedef struct missing {
  tm_link links[TM_CHAIN]; /* from the blocks' queue to the queue that this thread has */
  uint32_t link_count;
  tm_step steps[TM_STEPS]; /* the places of their submissions */
  uint32_t count;
} missing;

static tm_link_signs signs_of_link(tm_thread *t, const tm_link *link) {
  return (tm_link_signs){.suspended = tm_is_suspended(link->queue),
                         .main_here = link->queue == tm_main_queue && t->who.is_main,
                         .serial = link->kind == TM_SERIAL_QUEUE,
                         .held = tm_hold_find(t, link->queue) != NULL,
                         .owner_known = tm_queue_owner_known(),
                         .owned = tm_queue_is_owned(link->queue, t->ground.tid)};
}

static uint32_t way_to_own(tm_thread *t, const tm_link *links, uint32_t count) {
  tm_link_signs signs[TM_CHAIN];
  for (uint32_t i = 0; i < count; i++) signs[i] = signs_of_link(t, &links[i]);
  return tm_way_to_own(signs, count);
}

/* The call that submits a block has returned if this thread made it, or has learnt of a later
 * moment of the thread that made it. */
static tm_block_signs signs_of_block(tm_thread *t, const tm_outstanding *block, const missing *m) {
  const tm_hop *hop = block->hop;
  return (tm_block_signs){.waits = atomic_load_explicit(&hop->waiting, memory_order_relaxed) ==
                                   TM_HOP_WAITS,
                          .queued = hop->queued && hop->queue,
                          .submitted_here = block->from.thread == t->who.number,
                          .submission_known = tm_knows(t, hop->from.slot, hop->from.time),
                          .in_the_same_queue = !m->count || m->links[0].queue == hop->queue};
}

/* Called under the group's lock: until its release, a block that lands cannot end, so its hop and
 * its queue stay alive. */
static void note_block(tm_thread *t, const tm_outstanding *block, missing *m) {
  const tm_hop *hop = block->hop;
  if (!tm_is_certainly_missing(signs_of_block(t, block, m))) return;
  tm_link links[TM_CHAIN];
  uint32_t count = tm_queue_chain(hop->queue, hop->barrier, links);
  count = way_to_own(t, links, count);
  if (!count) return;
  if (!m->count) tm_copy(m->links, links, sizeof links);
  m->link_count = count;
  tm_copy(&m->steps[m->count++], &block->from, sizeof(tm_step));
}

TM_SLOW static void tell_missing(tm_thread *t, const missing *m, const void *group, void *frame) {
  const tm_link *last = &m->links[m->link_count - 1];
  tm_happening happening = {
      .kind = TM_GROUP_AWAITED_INSIDE,
      .group_awaited_inside = {.on_main = last->queue == tm_main_queue && t->who.is_main}};
  tm_group_awaited_inside *inside = &happening.group_awaited_inside;
  tm_object_describe(group, TM_GROUP, TM_EXCLUSIVE, &inside->group);
  for (uint32_t i = 0; i < m->link_count; i++) {
    const tm_link *link = &m->links[i];
    if (link != last && inside->queue_count == TM_QUEUES_BETWEEN - 1) continue;
    tm_object_describe(link->queue, link->kind, link->mode, &inside->queues[inside->queue_count++]);
  }
  tm_steps_show(m->steps, m->count, &inside->blocks);
  tm_tell_all(t, frame, &happening);
}

TM_SLOW void tm_group_awaits(tm_thread *t, tm_group *record, const void *group, void *frame) {
  missing m = {.count = 0};
  tm_spin_lock(&record->lock);
  for (uint32_t i = 0; i < TM_STEPS; i++)
    if (record->running[i].from.thread) note_block(t, &record->running[i], &m);
  tm_spin_unlock(&record->lock);
  if (m.count && tm_group_count(group) != 0) tell_missing(t, &m, group, frame);
}

TM_GATE_CODE_END
#endif
