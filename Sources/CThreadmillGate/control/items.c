#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/kernel.h"
#include "ground/layout.h"
#include "ground/real.h"
#include "object/item.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Work items. libdispatch gives each item a group of its own. The item leaves it at its end, or
 * when it was cancelled before it began. Waits and notifications use that group. */

/* The words of an item in which the group may be: libdispatch's own data lie where a block's
 * captures begin. */
enum { FIRST_WORD = 4, LAST_WORD = 12 };

static void *group_of(const void *item) {
  if (!tm_block_is_item(item)) return NULL;
  for (int i = FIRST_WORD; i < LAST_WORD; i++) {
    void *word = ((void *const *)item)[i], *its_class;
    if (tm_peek(word, &its_class, sizeof its_class) && tm_class_of(word) == TM_CLASS_GROUP)
      return word;
  }
  return NULL;
}

static intptr_t control_dispatch_block_wait(dispatch_block_t item, dispatch_time_t until) {
  tm_seat *s = tm_seat_here();
  void *group = s ? group_of(item) : NULL;
  if (!group) return TM_TRUE(dispatch_block_wait)(item, until);
  if (until == DISPATCH_TIME_NOW) tm_control_point(s, TM_STEP_TRY, group);
  else tm_control_step(s, TM_STEP_WAIT, group, tm_group_is_empty, NULL, tm_control_due(until));
  return TM_TRUE(dispatch_block_wait)(item, DISPATCH_TIME_NOW);
}

static void control_dispatch_block_notify(dispatch_block_t item, dispatch_queue_t queue,
                                          dispatch_block_t notification) {
  tm_seat *s = tm_seat_here();
  void *group = s ? group_of(item) : NULL;
  if (!group) return TM_TRUE(dispatch_block_notify)(item, queue, notification);
  tm_control_point(s, TM_STEP_SUBMIT, queue);
  tm_flow_follow(tm_submit_block(queue, notification, false), group);
}

static void control_dispatch_block_cancel(dispatch_block_t item) {
  tm_seat *s = tm_seat_here();
  if (s) {
    tm_seat_stops(s, 0);
    tm_control_point(s, TM_STEP_CANCEL, item);
  }
  TM_TRUE(dispatch_block_cancel)(item);
}

static intptr_t control_dispatch_block_testcancel(dispatch_block_t item) {
  tm_seat *s = tm_seat_here();
  if (s) {
    tm_seat_stops(s, 0);
    tm_control_point(s, TM_STEP_READ, item);
  }
  return TM_TRUE(dispatch_block_testcancel)(item);
}

void tm_control_take_items(struct tm_real *r) {
  r->dispatch_block_wait = (void *)control_dispatch_block_wait;
  r->dispatch_block_notify = (void *)control_dispatch_block_notify;
  r->dispatch_block_cancel = (void *)control_dispatch_block_cancel;
  r->dispatch_block_testcancel = (void *)control_dispatch_block_testcancel;
}

TM_GATE_CODE_END
#endif
