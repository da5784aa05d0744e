#ifdef __linux__
#include "ground/base.h"
#include "observe/early.h"
#include "code/stack.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/thread.h"
#include "object/group.h"
#include "object/object.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Finds groups on which `notify` is called before the first `enter`. The functions for groups call
 * this file at each notify, enter, leave and wait, and at the group's end, where it tells.
 *
 * A notification on an empty group fires at once. Correct programs rely on that: the list of work
 * may be empty, a tracker may be idle, or a group may be used again. The program called `notify`
 * too early only if all of this is true, because then the group's count was never of any use:
 * - the call of `notify` was the first operation ever on the group;
 * - the first enter came from the function that called it, before that function returned;
 * - another strand than that function's left the group, or the enter came with a block, whose end
 *   is its leave;
 * - until the group's last reference was gone, no thread called `notify` again, or waited.
 * `tm_early_next` has these rules: each operation leads from one chapter to another. */

enum { REACH = 16 * 1024 }; /* bytes of stack in which the frame is searched */

/* Returns the frame of the user's function that is innermost in `stack`; 0 if it is not found.
 * Frame pointers do not lead from `frame` to it, because the library in between uses that register
 * for other values. So the words above `frame` are searched for one that looks like the user's
 * frame: it holds the function's return address, and a pointer to a frame that holds the next. */
static uintptr_t users_frame(const tm_thread *t, void *frame, const uintptr_t *stack,
                             uint32_t count) {
  uint32_t own = 0;
  while (own < count && tm_is_system_code(stack[own])) own++;
  if (own + 2 >= count) return 0;
  uintptr_t from = (uintptr_t)frame;
  for (uintptr_t at = from; at < from + REACH && at + 16 <= t->code.stack_top; at += 8) {
    if (((uintptr_t *)at)[1] != stack[own + 1]) continue;
    uintptr_t above = tm_frame_above(t, at);
    if (above && ((uintptr_t *)above)[1] == stack[own + 2]) return at;
  }
  return 0;
}

/* Returns whether the function that called `notify` has not returned yet: its strand still runs on
 * this thread, and its frame is the one at `own` or that of a caller. */
static bool still_runs(const tm_thread *t, uintptr_t own, const tm_early *early) {
  if (t->who.number != early->thread || t->strand.id != early->strand) return false;
  for (uintptr_t at = own; at; at = tm_frame_above(t, at))
    if (at == early->frame) return ((uintptr_t *)at)[1] == early->caller;
  return false;
}

static tm_early early_of(tm_group *group) {
  tm_spin_lock(&group->lock);
  tm_early early = group->early;
  tm_spin_unlock(&group->lock);
  return early;
}

/* Writes the next chapter. Ends the story if another thread has changed the chapter `from`. */
static void go_on(tm_group *group, tm_early_chapter from, const tm_early *to) {
  tm_spin_lock(&group->lock);
  if (group->early.chapter == from) group->early = *to;
  else group->early.chapter = TM_EARLY_OVER;
  tm_spin_unlock(&group->lock);
}

static void end_story(tm_group *group) {
  tm_spin_lock(&group->lock);
  group->early.chapter = TM_EARLY_OVER;
  tm_spin_unlock(&group->lock);
}

void tm_early_notified(tm_thread *t, void *frame, tm_group *group) {
  uintptr_t stack[TM_STACK / 2], own = 0;
  uint32_t count = 0;
  tm_early_chapter now = early_of(group).chapter;
  if (now == TM_EARLY_NEW) {
    count = tm_stack_take(t, frame, stack, TM_STACK / 2);
    own = users_frame(t, frame, stack, count);
  }
  tm_group_step step = {.deed = TM_GROUP_NOTIFY, .by_known_call = own != 0};
  tm_early_chapter next = tm_early_next(now, step);
  if (next == TM_EARLY_OVER) return end_story(group);
  tm_early early = {.chapter = next,
                    .thread = t->who.number,
                    .strand = t->strand.id,
                    .frame = own,
                    .caller = ((uintptr_t *)own)[1],
                    .notified = tm_stack_keep(stack, count)};
  go_on(group, now, &early);
}

/* Returns whether the chapter is TM_EARLY_OVER. That chapter never changes again, so it can be read
 * without the lock. */
static bool is_over(const tm_group *group) {
  return __atomic_load_n(&group->early.chapter, __ATOMIC_RELAXED) == TM_EARLY_OVER;
}

void tm_early_entered(tm_thread *t, void *frame, tm_group *group, bool block) {
  if (is_over(group)) return;
  tm_early early = early_of(group);
  tm_group_step step = {.deed = TM_GROUP_ENTER, .with_block = block};
  uintptr_t stack[TM_STACK / 2];
  uint32_t count = 0;
  if (t && early.chapter == TM_EARLY_NOTIFIED) {
    count = tm_stack_take(t, frame, stack, TM_STACK / 2);
    step.by_asker = still_runs(t, users_frame(t, frame, stack, count), &early);
  }
  tm_early_chapter now = early.chapter, next = tm_early_next(now, step);
  if (next == now) return;
  if (next == TM_EARLY_OVER) return end_story(group);
  early.entered = tm_stack_keep(stack, count);
  early.chapter = next;
  go_on(group, now, &early);
}

void tm_early_left(tm_thread *t, tm_group *group) {
  tm_spin_lock(&group->lock);
  tm_early *early = &group->early;
  tm_group_step step = {.deed = TM_GROUP_LEAVE,
                        .by_other_strand = t && t->strand.id != early->strand};
  early->chapter = tm_early_next(early->chapter, step);
  tm_spin_unlock(&group->lock);
}

void tm_early_waited(const void *address) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  if (o->kind == TM_GROUP && o->group) end_story(o->group);
  tm_object_release(address);
}

static tm_stack_view kept_stack(uint32_t kept, uint32_t thread) {
  tm_stack_view view = {.thread = thread};
  view.addresses = tm_stack_kept(kept, &view.count);
  return view;
}

void tm_group_ends(tm_thread *t, void *frame, const void *address) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  bool whole = o->kind == TM_GROUP && o->created && o->group;
  tm_early early = whole ? o->group->early : (tm_early){.chapter = TM_EARLY_OVER};
  tm_object_release(address);
  if (tm_was_notified_early(early.chapter, whole)) {
    tm_happening told = {.kind = TM_GROUP_NOTIFIED_EARLY,
                         .group_notified_early = {
                             .notified = kept_stack(early.notified, early.thread),
                             .entered = kept_stack(early.entered, early.thread)}};
    tm_tell(t, frame, &told, &told.group_notified_early.group, address, TM_GROUP);
  }
  tm_object_died(t, address);
}

TM_GATE_CODE_END
#endif
