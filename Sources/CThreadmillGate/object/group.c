#ifdef __linux__
#include "ground/base.h"
#include "object/group.h"
#include "ground/layout.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/steps.h"
#include "strand/strand.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Enters and leaves are counted from a group's creation on; only groups whose creation was seen can
 * be said to be out of balance. For a group's blocks, libdispatch enters without a call that the
 * gate sees, and leaves with one. A block that ends in a jump to `enter` or `leave` makes that call
 * look like one of libdispatch, too. So every enter counts, and a leave only if it is surely the
 * user's. */

/* Made without a lock: an edge may run a handler of the program's. */
static tm_group *make(void) {
  tm_group *made = tm_pool_take(sizeof(tm_group));
  if (!made) return NULL;
  atomic_store(&made->references, 1);
  tm_edge_begin(&made->left);
  return made;
}

/* Returns the record with a reference; if there is none, that is `made`, unless it is NULL. */
static tm_group *record_at(const void *group, tm_group *made) {
  tm_object *o = tm_object_have(group, TM_GROUP);
  if (!o) return NULL;
  if (!o->group) o->group = made;
  tm_group *record = o->group;
  if (record) atomic_fetch_add(&record->references, 1);
  tm_object_release(group);
  return record;
}

tm_group *tm_group_of(const void *group) {
  tm_group *record = record_at(group, NULL);
  if (TM_LIKELY(record != NULL)) return record;
  tm_group *made = make();
  if (!made) return NULL;
  record = record_at(group, made);
  if (record != made) tm_group_drop(made);
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

void tm_group_know(tm_group *group, tm_known *known) {
  tm_spin_lock(&group->lock);
  if (group->clock) tm_known_add(known, group->clock, 0);
  tm_spin_unlock(&group->lock);
}

uint32_t tm_group_block(tm_thread *t, tm_group *group, const struct tm_hop *hop,
                        const uintptr_t site[TM_SITE]) {
  uint32_t place = 0;
  tm_spin_lock(&group->lock);
  group->blocks++;
  while (place < TM_STEPS && group->running[place].from.thread) place++;
  if (place < TM_STEPS) {
    tm_step_set(&group->running[place].from, t, site);
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

static void describe_group(const tm_group *record, tm_group_state *state) {
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
  describe_group(record, state);
  tm_spin_unlock(&record->lock);
  tm_group_drop(record);
  if (state->count < 0) return true;
  /* libdispatch's count corrects the gate's: some of the user's leaves look like libdispatch's, and
   * the gate does not count work items. */
  if (state->entered > state->count) state->entered = (uint32_t)state->count;
  if (state->enter_count > state->entered) state->enter_count = state->entered;
  int64_t rest = state->count - state->entered;
  if (rest > state->blocks) state->blocks = (uint32_t)rest;
  return true;
}

TM_GATE_CODE_END
#endif
