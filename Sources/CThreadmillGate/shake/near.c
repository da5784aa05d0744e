#ifdef __linux__
#include "ground/base.h"
#include "ground/lock.h"
#include "ground/now.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "object/object.h"
#include "shake/shake.h"
#include "strand/course.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Remembers pairs of accesses: two threads that used one object, one right after the other, with
 * the places and the pairs of threads. The tables have a fixed size; an older entry gives way. */

enum { OBJECTS = 4096, TRAPS = 1024, PROBES = 8, PAIRS = 16384, WHOLE = 256 };

typedef struct use {
  tm_spin lock;
  uint32_t thread;
  const void *object;
  uintptr_t place;
  uint64_t moment;
} use;
static use uses[OBJECTS];

static struct {
  atomic_uintptr_t place;
  atomic_uint weight;
} traps[TRAPS];

static use *use_of(const void *object) { return &uses[tm_scramble((uintptr_t)object) % OBJECTS]; }

static atomic_uint *trap(uintptr_t place, bool add) {
  for (uint32_t probe = 0; probe < PROBES; probe++) {
    uint32_t at = (uint32_t)(tm_scramble(place) + probe) % TRAPS;
    uintptr_t found = atomic_load_explicit(&traps[at].place, memory_order_relaxed);
    if (!found && !add) return NULL;
    if (!found && atomic_compare_exchange_strong(&traps[at].place, &found, place)) {
      atomic_store(&traps[at].weight, WHOLE);
      return &traps[at].weight;
    }
    if (found == place) return &traps[at].weight;
  }
  return NULL;
}

/* Both places of a near miss become traps. */
static void learn(const tm_thread *t, const tm_shaker *s, const void *object, uintptr_t place) {
  use *u = use_of(object);
  uint64_t now = tm_now();
  tm_spin_lock(&u->lock);
  bool near = u->object == object && u->thread != t->who.number &&
              now - u->moment < (uint64_t)s->plan.near_close * TM_MICROSECOND;
  uintptr_t other = u->place;
  u->object = object, u->thread = t->who.number, u->place = place, u->moment = now;
  tm_spin_unlock(&u->lock);
  if (!near) return;
  trap(place, true);
  trap(other, true);
}

tm_decision tm_shake_near(tm_thread *t, tm_shaker *s, const void *object, uintptr_t place,
                          uint64_t hash) {
  atomic_uint *weight = trap(place, false);
  bool delays = weight && (hash >> 48) % WHOLE < atomic_load(weight);
  learn(t, s, object, place);
  if (!delays) return 0;
  return s->plan.near_delay << TM_DECIDES_SHIFT | TM_DECIDES_SLEEP;
}

/* Lowers the weight of the place if no other thread used the object during the delay. */
void tm_shake_near_over(tm_thread *t, tm_shaker *s, const void *object, uintptr_t place,
                        uint64_t since) {
  use *u = use_of(object);
  tm_spin_lock(&u->lock);
  bool met = u->object == object && u->thread != t->who.number && u->moment >= since;
  tm_spin_unlock(&u->lock);
  atomic_uint *weight = trap(place, false);
  if (!met && weight) atomic_store(weight, atomic_load(weight) * s->plan.near_keeps / 100);
}

void tm_shake_near_each(tm_near_visitor visit, void *context) {
  for (uint32_t i = 0; i < TRAPS; i++) {
    uintptr_t place = atomic_load(&traps[i].place);
    if (place) visit(place, atomic_load(&traps[i].weight), context);
  }
}

void tm_shake_near_add(uintptr_t place, uint32_t weight) {
  atomic_uint *known = trap(place, true);
  if (known) atomic_store(known, weight < WHOLE ? weight : WHOLE);
}

/* Coverage. */

static struct {
  atomic_uintptr_t object;
  atomic_ullong path;
} last[OBJECTS];
static atomic_ullong pairs[PAIRS];
static atomic_uint pair_count;

static void add_pair(uint64_t name) {
  for (uint32_t probe = 0; probe < PROBES; probe++) {
    uint32_t at = (uint32_t)(name + probe) % PAIRS;
    unsigned long long found = atomic_load_explicit(&pairs[at], memory_order_relaxed);
    if (found == name) return;
    if (found || !atomic_compare_exchange_strong(&pairs[at], &found, name)) continue;
    atomic_fetch_add(&pair_count, 1);
    return;
  }
}

void tm_shake_uses(tm_thread *t, const void *object) {
  uint32_t at = tm_scramble((uintptr_t)object) % OBJECTS;
  uintptr_t known = atomic_exchange(&last[at].object, (uintptr_t)object);
  uint64_t before = atomic_exchange(&last[at].path, t->strand.course.path);
  if (known != (uintptr_t)object || before == t->strand.course.path) return;
  uint64_t pair = tm_mix(before, t->strand.course.path);
  add_pair(tm_scramble(tm_mix(pair, tm_object_created(object))) | 1);
}

uint32_t tm_shake_thread_pairs(void) { return atomic_load(&pair_count); }

TM_GATE_CODE_END
#endif
