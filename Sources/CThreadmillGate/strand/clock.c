#ifdef __linux__
#include "ground/base.h"
#include "strand/clock.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "threadmill_gate.h"
#include <string.h>

TM_GATE_CODE_BEGIN

static size_t size_of(uint32_t count) { return sizeof(tm_clock) + count * sizeof(uint32_t); }
void tm_clock_free(tm_clock *clock) { tm_pool_give(clock, size_of(clock->count)); }

bool tm_clock_covers(const tm_clock *big, const tm_clock *small) {
  if (!small || big == small) return true;
  if (!big || small->count > big->count) return false;
  for (uint32_t i = 0; i < small->count; i++)
    if (small->times[i] > big->times[i]) return false;
  return true;
}

static tm_clock *merged(const tm_clock *a, const tm_clock *b, uint32_t slot, uint32_t time) {
  uint32_t count = slot + 1;
  if (a && a->count > count) count = a->count;
  if (b && b->count > count) count = b->count;
  tm_clock *sum = tm_pool_take_as_is(size_of(count));
  if (!sum) return NULL;
  atomic_store_explicit(&sum->references, 1, memory_order_relaxed);
  sum->count = count;
  uint32_t copied = a ? a->count : 0;
  if (a) tm_copy(sum->times, a->times, copied * sizeof(uint32_t));
  tm_clear(sum->times + copied, (count - copied) * sizeof(uint32_t));
  for (uint32_t i = 0; b && i < b->count; i++)
    if (b->times[i] > sum->times[i]) sum->times[i] = b->times[i];
  if (time > sum->times[slot]) sum->times[slot] = time;
  return sum;
}

bool tm_clock_has(const tm_clock *clock, tm_stamp stamp) {
  bool known = stamp.time == 0 || tm_clock_knows(clock, stamp.slot, stamp.time);
  return known && tm_clock_covers(clock, stamp.clock);
}

/* Returns whether the clock can be changed in place: it has one reference, and room for all slots
 * of the stamp. */
static bool is_roomy(const tm_clock *clock, tm_stamp stamp) {
  return clock && (stamp.time == 0 || stamp.slot < clock->count) &&
         (!stamp.clock || stamp.clock->count <= clock->count) &&
         atomic_load_explicit(&clock->references, memory_order_acquire) == 1;
}

static void add(tm_clock *sum, tm_stamp stamp) {
  for (uint32_t i = 0; stamp.clock && i < stamp.clock->count; i++)
    if (stamp.clock->times[i] > sum->times[i]) sum->times[i] = stamp.clock->times[i];
  if (stamp.time && stamp.time > sum->times[stamp.slot]) sum->times[stamp.slot] = stamp.time;
}

tm_clock *tm_clock_learn(tm_clock *into, tm_stamp stamp) {
  if (tm_clock_has(into, stamp)) return into;
  if (is_roomy(into, stamp)) {
    add(into, stamp);
    return into;
  }
  tm_clock *sum = merged(into, stamp.clock, stamp.slot, stamp.time);
  if (!sum) {
    tm_count_one(TM_CLOCKS_DROPPED);
    return into;
  }
  tm_clock_drop(into);
  return sum;
}

tm_clock *tm_clock_after(tm_stamp stamp) {
  bool known = stamp.time == 0 || tm_clock_knows(stamp.clock, stamp.slot, stamp.time);
  tm_clock *sum = known ? NULL : merged(stamp.clock, NULL, stamp.slot, stamp.time);
  if (!known && !sum) tm_count_one(TM_CLOCKS_DROPPED);
  return sum ? sum : tm_clock_keep(stamp.clock);
}

void tm_shared_clock_add(tm_shared_clock *shared, tm_stamp stamp) {
  __typeof__(&shared->parts[0]) part = &shared->parts[stamp.slot % TM_CLOCK_PARTS];
  tm_spin_lock(&part->lock);
  part->clock = tm_clock_learn(part->clock, stamp);
  tm_spin_unlock(&part->lock);
}

void tm_shared_clock_drop(tm_shared_clock *shared) {
  for (int i = 0; i < TM_CLOCK_PARTS; i++) tm_clock_drop(shared->parts[i].clock);
}

TM_GATE_CODE_END
#endif
