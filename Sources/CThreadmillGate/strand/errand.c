#ifdef __linux__
#include "ground/base.h"
#include "strand/errand.h"
#include "code/stack.h"
#include "ground/lock.h"
#include "ground/real.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* An open table. A reader finds an entry by its hash, which is written last; entries stay. */
enum { LONGEST = 32, TRIES = 16 };
static struct {
  _Atomic uint64_t hash;
  tm_errand work;
} entries[TM_ERRANDS];
static tm_spin adding;

static const char *label_of(const void *queue) {
  const char *(*label)(const void *) =
      TM_HELPER(const char *(*)(const void *), dispatch_queue_get_label);
  const char *text = queue && label ? label(queue) : NULL;
  return text && *text ? text : NULL;
}

static uint64_t hash_of(tm_race_work kind, const char *label, const uintptr_t site[TM_SITE]) {
  uint64_t hash = tm_mix(0, kind);
  for (int i = 0; i < TM_SITE; i++) hash = tm_mix(hash, site[i]);
  for (int i = 0; label && i < LONGEST && label[i]; i++) hash = tm_mix(hash, (uint8_t)label[i]);
  return hash | 1;
}

/* Returns the entry with this hash, else an empty one, else 0. */
static uint32_t find(uint64_t hash) {
  for (uint32_t i = 0; i < TRIES; i++) {
    uint32_t at = (uint32_t)(hash + i) % TM_ERRANDS;
    uint64_t there = atomic_load_explicit(&entries[at].hash, memory_order_acquire);
    if (at && (there == hash || !there)) return at;
  }
  return 0;
}

TM_SLOW static uint32_t add_errand(uint64_t hash, tm_errand work) {
  tm_spin_lock(&adding);
  uint32_t at = find(hash);
  if (at && !entries[at].hash) {
    entries[at].work = work;
    atomic_store_explicit(&entries[at].hash, hash, memory_order_release);
  }
  tm_spin_unlock(&adding);
  return at;
}

uint32_t tm_errand_number(tm_race_work kind, const void *queue, const uintptr_t site[TM_SITE]) {
  const char *label = label_of(queue);
  uint64_t hash = hash_of(kind, label, site);
  uint32_t at = find(hash);
  if (!at || atomic_load_explicit(&entries[at].hash, memory_order_relaxed)) return at;
  tm_errand work = {.kind = kind, .label = label ? tm_text_keep(label) : 0};
  tm_site_copy(work.site, site);
  return add_errand(hash, work);
}

const tm_errand *tm_errand_of(uint32_t number) { return &entries[number % TM_ERRANDS].work; }

TM_GATE_CODE_END
#endif
