#ifdef __linux__
#include "ground/base.h"
#include "object/item.h"
#include "ground/dispatch.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/group.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/strand.h"

TM_GATE_CODE_BEGIN

void (*tm_item_invoke)(void *);

void tm_item_drop(tm_item *item) {
  if (!item || atomic_fetch_sub(&item->references, 1) != 1) return;
  tm_stamp_drop(&item->from);
  tm_clock_drop(item->end);
  tm_item_drop(item->after);
  tm_group_drop(item->group);
  tm_pool_give(item, sizeof *item);
}

void tm_item_remember(tm_item *item, void *outer) {
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

static void do_nothing(void *block) { (void)block; }

void tm_blocks_prepare(void) {
  __typeof__(&dispatch_block_create) create = tm_real.dispatch_block_create;
  void (*release)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  if (!create || !release || !tm_real._NSConcreteStackBlock) return;
  static const tm_block_descriptor plain = {0, sizeof(tm_block), NULL, NULL};
  tm_block sample = {tm_real._NSConcreteStackBlock, 0, 0, do_nothing, (void *)&plain};
  tm_block *item = create(0, &sample);
  if (!item) return;
  tm_item_invoke = item->invoke;
  release(item);
}

void tm_item_leave_at(tm_item *item, tm_stamp end) {
  tm_spin_lock(&item->lock);
  item->end = tm_clock_learn(item->end, end);
  tm_spin_unlock(&item->lock);
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
