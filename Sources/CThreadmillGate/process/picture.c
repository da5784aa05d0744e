#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "object/hop.h"
#include "object/object.h"
#include "object/queue.h"
#include "observe/blocked.h"
#include "process/picture.h"
#include "strand/hold.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Draws a picture: the threads that wait or run, and the blocks that these keep from running. */

void tm_picture_thread(tm_picture *p, tm_thread *u, bool asks) {
  if (p->told.thread_count == TM_PICTURE_THREADS) {
    p->told.left_out++;
    return;
  }
  uint32_t i = p->told.thread_count++;
  p->threads[i] = u;
  tm_view_waiting(u, &p->rooms[i], &p->views[i]);
  p->views[i].stack = p->rooms[i].stack;
  if (tm_waits_for(u)) {
    p->views[i].stack_count =
        tm_stack_of_waiting(u, TM_GLIMPSE(u->holds.wait.frame), p->rooms[i].stack, TM_STACK);
    return;
  }
  if (asks) tm_stack_ask(u);
  p->views[i].stack_count = u->code.taken_count;
  tm_copy(p->rooms[i].stack, u->code.taken_stack, u->code.taken_count * sizeof(uintptr_t));
}

static const tm_thread_view *waiter_for(const tm_picture *p, const void *object) {
  for (uint32_t i = 0; object && i < p->told.thread_count; i++)
    if (p->views[i].wanted.address == (uintptr_t)object) return &p->views[i];
  return NULL;
}

/* Returns the queue on the block's way to the root that one of the threads has, or NULL. */
static const tm_object_view *held_queue(const tm_picture *p, const tm_hop *hop) {
  tm_link links[TM_CHAIN];
  uint32_t count = tm_queue_chain(hop->queue, hop->barrier, links);
  for (uint32_t l = 0; l < count; l++)
    for (uint32_t i = 0; i < p->told.thread_count; i++)
      for (uint32_t h = 0; h < p->views[i].held_count; h++)
        if (p->views[i].held[h].address == (uintptr_t)links[l].queue) return &p->views[i].held[h];
  return NULL;
}

/* Adds a waiting block to the picture if a stuck thread keeps it from running, or waits for its
 * group. */
static void draw_hop(const tm_hop *hop, void *context) {
  tm_picture *p = context;
  if (!hop->queue) return;
  const tm_object_view *queue = held_queue(p, hop);
  const tm_thread_view *waiter = waiter_for(p, hop->connected ? hop->leaves : NULL);
  if (!queue && !waiter) return;
  tm_object_view root;
  if (!queue) tm_object_describe(hop->queue, TM_CONCURRENT_QUEUE, TM_SHARED, &root);
  tm_fact *fact = tm_picture_fact(p, TM_FACT_QUEUED, queue ? queue : &root, hop->site);
  if (fact && waiter) fact->group = waiter->wanted;
}

static void want_main_queue(const tm_hop *hop, void *context) {
  if (hop->queue == tm_main_queue) ((tm_picture *)context)->main_wanted = true;
}

/* Adds the main queue to the view of the main thread, which has it without a call that the gate
 * sees. */
static void give_main_queue(tm_picture *p) {
  tm_hops_each(want_main_queue, p);
  for (uint32_t i = 0; p->main_wanted && i < p->told.thread_count; i++) {
    tm_thread_view *view = &p->views[i];
    if (!p->threads[i]->who.is_main || tm_hold_find(p->threads[i], tm_main_queue)) continue;
    tm_object_describe(tm_main_queue, TM_SERIAL_QUEUE, TM_EXCLUSIVE,
                       &p->rooms[i].held[view->held_count++]);
  }
}

void tm_picture_rest(tm_picture *p) {
  tm_views_complete(p->threads, p->rooms, p->views, p->told.thread_count);
  give_main_queue(p);
  tm_hops_each(draw_hop, p);
  tm_picture_operations(p);
  tm_picture_objects(p);
  tm_picture_tasks(p);
  p->told.threads = p->views;
  p->told.facts = p->facts;
}

TM_GATE_CODE_END
#endif
