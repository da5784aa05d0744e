#ifdef __linux__
#include "ground/base.h"
#include "tell/ended_owner.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "object/left.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

bool tm_is_stranded(tm_thread *u, tm_stranded *s) {
  *s = (tm_stranded){.waiter = u, .sequence = tm_look(u)};
  const void *object = tm_waits_for(u);
  if (!object || TM_GLIMPSE(u->holds.wait.timed) || !tm_is_live(u)) return false;
  return tm_left_find(object, &s->left) && s->left.kind == (tm_kind)TM_GLIMPSE(u->holds.wait.kind);
}

void tm_tell_stranded(void *stranded) {
  tm_stranded *s = stranded;
  tm_view_room *room = &tm_upcall_room;
  tm_thread_view view;
  tm_view_waiting(s->waiter, room, &view);
  view.stack = room->stack;
  view.stack_count = tm_stack_of_waiting(s->waiter, TM_GLIMPSE(s->waiter->holds.wait.frame),
                                         room->stack, TM_STACK);
  if (!tm_look_is_whole(s->waiter, s->sequence)) return;
  tm_happening told = {
      .kind = TM_OWNER_ENDED,
      .thread = &view,
      .owner_ended = {.lock = view.wanted,
                      .taken = {s->left.site, 0, s->left.thread},
                      .name = s->left.name},
  };
  while (told.owner_ended.taken.count < TM_SITE && s->left.site[told.owner_ended.taken.count])
    told.owner_ended.taken.count++;
  tm_listening.happened(&told);
}

TM_GATE_CODE_END
#endif
