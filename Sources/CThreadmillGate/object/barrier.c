#ifdef __linux__
#include "ground/base.h"
#include "object/barrier.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "object/item.h"

TM_GATE_CODE_BEGIN

bool tm_barrier_flag_of(const void *outer) {
  tm_item *item = tm_item_of(outer);
  bool barrier = item && item->barrier;
  tm_item_drop(item);
  return barrier;
}

void tm_barrier_async(dispatch_queue_t queue, dispatch_block_t item) {
  TM_REAL(dispatch_barrier_async)(queue, item);
}

/* A barrier item that is submitted with a group, or at the end of a group. */
typedef struct grouped {
  dispatch_group_t group; /* to be left when the item ends; NULL: none */
  dispatch_queue_t queue; /* to submit the item to; NULL: it is submitted already */
  dispatch_block_t item;  /* owned, like the others */
} grouped;

static void *retained(void *object) {
  void (*retain)(void *) = TM_HELPER(void (*)(void *), dispatch_retain);
  retain(object);
  return object;
}

static grouped *on_its_way(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t item) {
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  grouped *g = tm_pool_take(sizeof *g);
  if (!g) return NULL;
  *g = (grouped){group ? retained(group) : NULL, queue ? retained(queue) : NULL, copy(item)};
  return g;
}

static void arrived(grouped *g) {
  void (*release)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  release(g->item);
  if (g->group) TM_REAL(dispatch_release)(g->group);
  if (g->queue) TM_REAL(dispatch_release)(g->queue);
  tm_pool_give(g, sizeof *g);
}

static void run_and_leave(void *context) {
  grouped *g = context;
  ((tm_block *)g->item)->invoke(g->item);
  TM_REAL(dispatch_group_leave)(g->group);
  arrived(g);
}

void tm_barrier_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t item) {
  grouped *g = on_its_way(group, NULL, item);
  if (!g) return TM_REAL(dispatch_group_async)(group, queue, item);
  TM_REAL(dispatch_group_enter)(group);
  TM_REAL(dispatch_barrier_async_f)(queue, g, run_and_leave);
}

static void submit(void *context) {
  grouped *g = context;
  tm_barrier_async(g->queue, g->item);
  arrived(g);
}

/* libdispatch makes no notification a barrier. So a notification on a global queue submits the item
 * to its queue as a barrier when the group is empty. The queue itself cannot run that notification,
 * because it may be suspended, or busy with later work. */
void tm_barrier_group_notify(dispatch_group_t group, dispatch_queue_t queue,
                             dispatch_block_t item) {
  void *(*global)(intptr_t, uintptr_t) =
      TM_HELPER(void *(*)(intptr_t, uintptr_t), dispatch_get_global_queue);
  grouped *g = on_its_way(NULL, queue, item);
  if (!g) return TM_REAL(dispatch_group_notify)(group, queue, item);
  TM_REAL(dispatch_group_notify_f)(group, global(0, 0), g, submit);
}

TM_GATE_CODE_END
#endif
