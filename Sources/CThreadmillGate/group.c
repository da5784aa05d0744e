#ifdef __linux__
#include "base.h"
#include "dispatch.h"
#include "group.h"
#include "hop.h"
#include "layout.h"
#include "inversion.h"
#include "operation.h"
#include "shake.h"
#include "view.h"

TM_GATE_CODE_BEGIN

/* Enters and leaves are counted from a group's creation on; only groups whose creation was seen can
 * be said to be out of balance. For the work that it is given libdispatch enters without a call
 * that comes through here and leaves with one. A block that ends in a jump to `enter` or `leave`
 * looks like libdispatch, too: so every enter counts, and a leave only if it is surely the user's.
 */

tm_group *tm_group_of(const void *group) {
  tm_object *o = tm_object_have(group, TM_GROUP);
  if (!o) return NULL;
  if (!o->group && (o->group = tm_pool_take(sizeof(tm_group))))
    atomic_store(&o->group->references, 1);
  tm_group *record = o->group;
  if (record) atomic_fetch_add(&record->references, 1);
  tm_object_release(group);
  return record;
}

void tm_group_drop(tm_group *group) {
  if (!group || atomic_fetch_sub(&group->references, 1) != 1) return;
  tm_clock_drop(group->clock);
  tm_pool_give(group, sizeof *group);
}

void tm_group_leave_stamp(tm_thread *t, tm_group *group) {
  tm_stamp stamp = tm_stamp_take(t);
  tm_group_leave_at(group, stamp);
  tm_stamp_drop(&stamp);
}

void tm_group_leave_at(tm_group *group, tm_stamp stamp) {
  tm_spin_lock(&group->lock);
  group->clock = tm_clock_learn(group->clock, stamp);
  tm_spin_unlock(&group->lock);
}

void tm_group_take_stamp(tm_thread *t, tm_group *group) {
  tm_spin_lock(&group->lock);
  tm_clock *clock = tm_clock_keep(group->clock);
  tm_spin_unlock(&group->lock);
  if (!clock) return;
  tm_learn(t, (tm_stamp){clock, 0, 0});
  tm_clock_drop(clock);
}

uint32_t tm_group_block(tm_thread *t, tm_group *group, const tm_hop *hop) {
  uint32_t place = 0;
  tm_spin_lock(&group->lock);
  group->blocks++;
  while (place < TM_STEPS && group->running[place].from.thread) place++;
  if (place < TM_STEPS) {
    tm_step_set(&group->running[place].from, t, hop->site);
    group->running[place].hop = hop;
  }
  tm_spin_unlock(&group->lock);
  return place;
}

void tm_group_block_over(tm_group *group, uint32_t place) {
  tm_spin_lock(&group->lock);
  group->blocks--;
  if (place < TM_STEPS) group->running[place].from.thread = 0;
  tm_spin_unlock(&group->lock);
}
TM_EXPORT dispatch_group_t dispatch_group_create(void) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_group_t made = TM_REAL(dispatch_group_create)();
  if (t && made) tm_object_born(t, made, TM_GROUP, 0, __builtin_frame_address(0));
  return made;
}

/* The record with its lock taken, or NULL; and whether the group's creation was seen. */
static tm_group *record_of(const tm_thread *t, const void *group, bool *whole) {
  tm_object *o = tm_object_find(group);
  *whole = o && o->kind == TM_GROUP && o->created;
  if (o) tm_object_release(group);
  tm_group *record = t || *whole ? tm_group_of(group) : NULL;
  if (record) tm_spin_lock(&record->lock);
  return record;
}

static void entered(tm_thread *t, void *frame, const void *group) {
  bool whole;
  uintptr_t site[TM_SITE];
  if (t) tm_site_take(t, frame, site);
  tm_group *record = record_of(t, group, &whole);
  if (!record) return;
  record->entered++;
  if (t) tm_steps_note(&record->enters, t, site);
  tm_spin_unlock(&record->lock);
  tm_early_entered(t, frame, record, false);
  tm_group_drop(record);
}

/* Returns whether there was an enter to match it. */
static bool left(tm_thread *t, void *frame, const void *group) {
  bool whole;
  uintptr_t site[TM_SITE];
  if (t) tm_site_take(t, frame, site);
  tm_group *record = record_of(t, group, &whole);
  if (!record) return true;
  bool balanced = !whole || record->entered > 0;
  if (record->entered > 0) record->entered--;
  if (t && balanced) tm_steps_note(&record->leaves, t, site);
  tm_spin_unlock(&record->lock);
  if (t) tm_group_leave_stamp(t, record);
  if (t) tm_let_go(t, group, frame);
  tm_early_left(t, record);
  tm_group_drop(record);
  return balanced;
}

TM_SLOW static void tell_overleft(tm_thread *t, void *frame, const void *group) {
  tm_happening happening = {.kind = TM_GROUP_OVERLEFT, .group_overleft = {.enters = {.count = 0}}};
  tm_group_overleft *overleft = &happening.group_overleft;
  tm_step enters[TM_STEPS], leaves[TM_STEPS];
  tm_group *record = tm_group_of(group);
  if (record) {
    tm_spin_lock(&record->lock);
    uint32_t entered = tm_steps_last(&record->enters, TM_STEPS, enters);
    uint32_t left = tm_steps_last(&record->leaves, TM_STEPS, leaves);
    tm_spin_unlock(&record->lock);
    tm_steps_show(enters, entered, &overleft->enters);
    tm_steps_show(leaves, left, &overleft->leaves);
    tm_group_drop(record);
  }
  tm_tell(t, frame, &happening, &overleft->group, group, TM_GROUP);
}

TM_EXPORT void dispatch_group_enter(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  entered(t, __builtin_frame_address(0), group);
  if (t) TM_POINT(t, BEFORE, group);
  TM_REAL(dispatch_group_enter)(group);
}

TM_EXPORT void dispatch_group_leave(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, group);
  bool own = tm_caller_find((uintptr_t)__builtin_return_address(0)) == TM_CALLER_SYSTEM;
  bool balanced = own || left(t, __builtin_frame_address(0), group);
  if (t && !balanced) tell_overleft(t, __builtin_frame_address(0), group);
  TM_REAL(dispatch_group_leave)(group);
  if (t) TM_POINT(t, AFTER, NULL);
}

TM_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_early_waited(group);
  if (!t) return TM_REAL(dispatch_group_wait)(group, until);
  TM_POINT(t, BEFORE, group);
  tm_operation op = {.action = TM_WAIT,
                     .object = group,
                     .kind = TM_GROUP,
                     .frame = __builtin_frame_address(0),
                     .polls = until == 0,
                     .bounded = until != DISPATCH_TIME_FOREVER};
  tm_site_take(t, op.frame, op.site);
  tm_group *record = tm_group_of(group);
  if (record && !op.bounded && (t->held_count || t->is_main))
    tm_group_awaits(t, record, group, op.frame);
  tm_before(t, &op);
  intptr_t result = TM_REAL(dispatch_group_wait)(group, until);
  tm_after(t, &op, result == 0);
  if (record && result == 0) tm_group_take_stamp(t, record);
  tm_group_drop(record);
  TM_POINT(t, WAKE, NULL);
  return result;
}

static void describe(const tm_group *record, tm_group_state *state) {
  state->entered = (uint32_t)record->entered;
  state->blocks = (uint32_t)record->blocks;
  state->enter_count = tm_steps_last(&record->enters, record->entered, state->enters);
  state->leave_count = tm_steps_last(&record->leaves, TM_STEPS, state->leaves);
  for (uint32_t i = 0; i < TM_STEPS; i++)
    if (record->running[i].from.thread)
      tm_copy(&state->submissions[state->submission_count++], &record->running[i].from,
              sizeof(tm_step));
}

bool tm_group_ask(const void *group, tm_group_state *state) {
  tm_clear(state, sizeof *state);
  state->count = -1;
  tm_object *o = tm_object_find(group);
  if (!o) return false;
  bool known = o->kind == TM_GROUP && o->group;
  tm_object_release(group);
  tm_group *record = known ? tm_group_of(group) : NULL;
  if (!record) return false;
  if (tm_class_of(group) == TM_CLASS_GROUP) state->count = tm_group_count(group);
  tm_spin_lock(&record->lock);
  describe(record, state);
  tm_spin_unlock(&record->lock);
  tm_group_drop(record);
  if (state->count < 0) return true;
  /* Some leaves look like libdispatch's, and work items are known to libdispatch only. */
  if (state->entered > state->count) state->entered = (uint32_t)state->count;
  if (state->enter_count > state->entered) state->enter_count = state->entered;
  int64_t rest = state->count - state->entered;
  if (rest > state->blocks) state->blocks = (uint32_t)rest;
  return true;
}

TM_GATE_CODE_END
#endif
