#ifdef __linux__
#include "ground/base.h"
#include "strand/clock.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

static size_t clock_size(uint32_t count) { return sizeof(tm_clock) + count * sizeof(uint32_t); }
void tm_clock_free(tm_clock *clock) { tm_pool_give(clock, clock_size(clock->count)); }

/* Times stay below 2 to the 31st, and processors compare numbers with a sign faster. */
TM_INLINE bool is_later(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b; }

static uint64_t name_of(const tm_clock *clock) {
  return clock ? atomic_load_explicit(&clock->name, memory_order_relaxed) : 0;
}

/* Returns whether the names say that `big` knows all that `small` knows. */
static bool is_named_by(const tm_clock *big, const tm_clock *small) {
  uint64_t name = name_of(small);
  return name && big && (big->covers[0] == name || big->covers[1] == name);
}

bool tm_clock_covers(const tm_clock *big, const tm_clock *small) {
  if (!small || big == small || is_named_by(big, small)) return true;
  if (!big || small->count > big->count) return false;
  if (small->times[small->newest] > big->times[small->newest]) return false;
  /* No early end, so that the compiler can compare several times at once. */
  uint32_t signs = 0; /* of the differences: negative where `small` knows more */
  for (uint32_t i = 0; i < small->count; i++) signs |= big->times[i] - small->times[i];
  return signs >> 31 == 0;
}

/* Writes the later one of each two times, also where that changes nothing: again, several at once.
 */
static void take_later(uint32_t *times, const uint32_t *a, const uint32_t *b, uint32_t count) {
#pragma clang loop vectorize(assume_safety)
  for (uint32_t i = 0; i < count; i++) times[i] = is_later(a[i], b[i]) ? a[i] : b[i];
}

/* `slot` is below TM_SLOTS, and 0 if there is no moment. */
static tm_clock *merged(const tm_clock *a, const tm_clock *b, uint32_t slot, uint32_t time) {
  enum { AT_ONCE = 8 };
  uint32_t count = (slot + AT_ONCE) / AT_ONCE * AT_ONCE;
  if (a && a->count > count) count = a->count;
  if (b && b->count > count) count = b->count;
  tm_clock *sum = tm_pool_take_as_is(clock_size(count));
  if (!sum) return NULL;
  atomic_store_explicit(&sum->references, 1, memory_order_relaxed);
  sum->count = count;
  sum->newest = slot;
  atomic_store_explicit(&sum->name, 0, memory_order_relaxed);
  sum->covers[0] = name_of(a);
  sum->covers[1] = name_of(b);
  const tm_clock *longer = a, *other = b;
  if (!a || (b && a->count < b->count) || is_named_by(b, a)) longer = b, other = a;
  if (is_named_by(longer, other)) other = NULL;
  uint32_t both = other ? other->count : 0, known = longer ? longer->count : 0;
  if (both) take_later(sum->times, longer->times, other->times, both);
  if (longer) tm_copy(sum->times + both, longer->times + both, (known - both) * sizeof(uint32_t));
  tm_clear(sum->times + known, (count - known) * sizeof(uint32_t));
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

static void add_stamp(tm_clock *sum, tm_stamp stamp) {
  atomic_store_explicit(&sum->name, 0, memory_order_relaxed);
  const tm_clock *other = stamp.clock;
  if (other) take_later(sum->times, sum->times, other->times, other->count);
  if (stamp.time && stamp.time > sum->times[stamp.slot]) {
    sum->times[stamp.slot] = stamp.time;
    sum->newest = stamp.slot;
  }
}

tm_clock *tm_clock_learn(tm_clock *into, tm_stamp stamp) {
  return tm_clock_has(into, stamp) ? into : tm_clock_learn_new(into, stamp);
}

tm_clock *tm_clock_learn_new(tm_clock *into, tm_stamp stamp) {
  if (is_roomy(into, stamp)) {
    add_stamp(into, stamp);
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

tm_clock *tm_clock_joined(tm_stamp a, tm_stamp b) {
  tm_clock *sum = merged(a.clock, b.clock, a.slot, a.time);
  if (!sum) {
    tm_count_one(TM_CLOCKS_DROPPED);
    return tm_clock_keep(a.clock);
  }
  return b.time ? tm_clock_learn(sum, (tm_stamp){NULL, b.slot, b.time}) : sum;
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
