#ifdef __linux__
#include "ground/base.h"
#include "tell/kept.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/part.h"
#include "strand/scope.h"
#include "strand/strand.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

enum { RING = 1 << 16, LASTS = 64, HERE = 2, GOES_ON = 15, AHEAD = 8 };

/* Address and number in 96 bits. */
typedef struct packed {
  uint32_t address, id;
  uint16_t address_high, id_high;
} packed;

/* Half a cache line, enough for two locks. A nesting of more locks goes on in the next places,
 * whose `count` is GOES_ON. */
typedef struct nesting {
  uint16_t habit : 12, count : 4; /* `count` 0: an empty place */
  uint16_t section;
  packed locks[HERE];
  uint32_t unused;
} nesting;
_Static_assert(sizeof(nesting) == 32, "");
_Static_assert(TM_KEPT_LOCKS < GOES_ON, "");
_Static_assert(TM_KEPT_HABITS <= 1 << 12, "");

/* What a strand knew while it made some of the nestings, which share it. Each nesting that is kept
 * belongs to one, so that there are never more of them than nestings. */
typedef struct section {
  uint64_t strand;
  tm_clock *clock;
  uint32_t thread, slot, time, scope, epoch;
  uint32_t nestings; /* 0: free */
  uint32_t next;     /* of the free ones; 0: none */
  uint8_t quality;
} section;

static nesting *ring;
static section *sections;
static uint32_t next_place, section_count, free_section;
static uint32_t lasts[LASTS]; /* the last section of a thread, by its slot */
static uint32_t counts[TM_KEPT_HABITS];

static packed pack_lock(tm_kept_lock lock) {
  uintptr_t address = (uintptr_t)lock.address;
  return (packed){(uint32_t)address, (uint32_t)lock.id, (uint16_t)(address >> 32),
                  (uint16_t)(lock.id >> 32)};
}

static tm_kept_lock unpack_lock(packed p) {
  return (tm_kept_lock){(const void *)((uintptr_t)p.address_high << 32 | p.address),
                        (uint64_t)p.id_high << 32 | p.id};
}

static nesting *place(uint32_t number) { return &ring[number % RING]; }

static bool is_first(const nesting *n) { return n->count != 0 && n->count != GOES_ON; }

static void unpack_all(const nesting *n, tm_kept_lock locks[TM_KEPT_LOCKS]) {
  uint32_t first = (uint32_t)(n - ring);
  for (uint32_t i = 0; i < n->count; i++)
    locks[i] = unpack_lock(place(first + i / HERE)->locks[i % HERE]);
}

bool tm_kept_is_there(const tm_kept_lock *locks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!tm_object_is(locks[i].address, locks[i].id)) return false;
  return true;
}

static uint32_t new_section(void) {
  uint32_t number = free_section;
  if (number) free_section = sections[number].next;
  else number = ++section_count;
  return number;
}

/* Returns whether the thread is still in the section of this slot. */
static bool goes_on(const section *s, const tm_thread *t, uint32_t scope) {
  return s->nestings && s->strand == t->strand.id && s->epoch == t->holds.epoch &&
         s->scope == scope;
}

/* Returns the section that the thread is in, with one nesting more. */
static uint32_t enter_section(tm_thread *t, uint32_t scope) {
  uint32_t *last = &lasts[t->strand.slot % LASTS];
  section *s = &sections[*last];
  if (TM_UNLIKELY(!goes_on(s, t, scope))) {
    *last = new_section();
    s = &sections[*last];
    *s = (section){.strand = t->strand.id,
                   .clock = tm_clock_keep(tm_strand_clock(t)),
                   .thread = t->who.number,
                   .slot = t->strand.slot,
                   .time = t->strand.now,
                   .scope = scope,
                   .epoch = t->holds.epoch,
                   .quality = t->strand.origin.quality};
  }
  s->nestings++;
  return *last;
}

/* Returns whether the section is free now; the caller drops its clock then. */
static bool leave_section(uint32_t number) {
  section *s = &sections[number];
  if (--s->nestings) return false;
  s->next = free_section;
  free_section = number;
  return true;
}

/* Sections have numbers from 1 on, so that the last one fits as well. */
static uint32_t section_of(const nesting *n) { return n->section + 1u; }

static void empty(nesting *n) {
  counts[n->habit]--;
  n->count = 0;
}

/* Whether a nesting's locks are still there when it gives way is asked for one of SAMPLE, which
 * then counts for all of them. */
enum { SAMPLE = 256 };
static bool is_sample(void) { return next_place % SAMPLE == 0; }

static void forget(nesting *n) {
  tm_kept_lock locks[TM_KEPT_LOCKS];
  if (is_sample()) {
    unpack_all(n, locks);
    if (tm_kept_is_there(locks, n->count)) tm_count_many(TM_NESTINGS_FORGOTTEN, SAMPLE);
  }
  empty(n);
  if (leave_section(section_of(n))) tm_clock_drop(sections[section_of(n)].clock);
}

static bool prepare(void) {
  if (!ring) ring = tm_map(RING * sizeof *ring);
  if (!sections) sections = tm_map((RING + 1) * sizeof *sections);
  return ring && sections;
}

/* At an address there is one lock at a time. Returns one of the newest nestings that has another
 * lock at the address of one of these: that lock has ended. NULL: none has. */
TM_INLINE nesting *outlived(uint32_t habit, const tm_kept_lock *locks, uint32_t count) {
  enum { BACK = 4 };
  if (count > HERE) return NULL;
  uint32_t first = (uint32_t)(uintptr_t)locks[0].address,
           last = (uint32_t)(uintptr_t)locks[count - 1].address;
  for (uint32_t back = 1; back <= BACK; back++) {
    nesting *n = place(next_place - back);
    if (TM_LIKELY(n->locks[0].address != first && n->locks[count - 1].address != last)) continue;
    if (n->habit != habit || n->count != count) continue;
    for (uint32_t i = 0; i < count; i++) {
      tm_kept_lock old = unpack_lock(n->locks[i]);
      if (old.address == locks[i].address && old.id != locks[i].id) return n;
    }
  }
  return NULL;
}

static void write_locks(nesting *n, const tm_kept_lock *locks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) n->locks[i] = pack_lock(locks[i]);
}

/* Gives the place of a nesting to a new one of the same habit, and of as many locks. */
static void replace(nesting *n, tm_thread *t, uint32_t scope, const tm_kept_lock *locks) {
  uint32_t left = section_of(n);
  write_locks(n, locks, n->count);
  n->section = (uint16_t)(enter_section(t, scope) - 1);
  if (leave_section(left)) tm_clock_drop(sections[left].clock);
}

/* Returns whether a nesting differs in nothing but its locks from a new one of the thread's. */
static bool is_alike(const nesting *n, const tm_thread *t, uint32_t scope, uint32_t habit,
                     uint32_t count) {
  uint32_t last = lasts[t->strand.slot % LASTS];
  return n->habit == habit && n->count == count && section_of(n) == last &&
         goes_on(&sections[last], t, scope);
}

bool tm_keep_alike(tm_thread *t, uint32_t habit, const tm_kept_lock locks[2]) {
  if (!ring || is_sample() || outlived(habit, locks, HERE)) return false;
  nesting *n = place(next_place);
  if (!is_alike(n, t, tm_scope_of(NULL), habit, HERE)) return false;
  __builtin_prefetch(place(next_place + AHEAD), 1);
  write_locks(n, locks, HERE);
  next_place++;
  return true;
}

/* Fills the next places of the ring. */
static void keep_new(tm_thread *t, uint32_t scope, uint32_t habit, const tm_kept_lock *locks,
                     uint32_t count) {
  nesting *first = place(next_place);
  for (uint32_t i = 0; i < count; next_place++) {
    nesting *n = place(next_place);
    if (is_first(n)) forget(n);
    n->habit = (uint16_t)habit;
    n->count = i == 0 ? (uint16_t)count : GOES_ON;
    for (uint32_t j = 0; j < HERE && i < count; j++) n->locks[j] = pack_lock(locks[i++]);
  }
  first->section = (uint16_t)(enter_section(t, scope) - 1);
  counts[habit]++;
}

bool tm_keep(tm_thread *t, const void *task, uint32_t habit, const tm_kept_lock *locks,
             uint32_t count) {
  if (TM_UNLIKELY(!ring || !sections) && !prepare()) return false;
  uint32_t scope = tm_scope_of(task);
  nesting *old = outlived(habit, locks, count);
  __builtin_prefetch(place(next_place + AHEAD), 1);
  if (old) replace(old, t, scope, locks);
  else keep_new(t, scope, habit, locks, count);
  return true;
}

uint32_t tm_kept_of(uint32_t habit) { return counts[habit]; }

static void take_out(nesting *n, tm_kept *taken) {
  const section *s = &sections[section_of(n)];
  *taken = (tm_kept){.habit = n->habit,
                     .count = n->count,
                     .clock = s->clock,
                     .strand = s->strand,
                     .thread = s->thread,
                     .slot = s->slot,
                     .time = s->time,
                     .scope = s->scope,
                     .quality = s->quality};
  unpack_all(n, taken->locks);
  empty(n);
  if (!leave_section(section_of(n))) tm_clock_keep(taken->clock);
}

bool tm_kept_take(uint32_t *from, bool (*is_wanted)(uint32_t habit), tm_kept *taken) {
  for (; ring && *from < RING; ++*from) {
    nesting *n = place(next_place + *from);
    if (!is_first(n) || !is_wanted(n->habit)) continue;
    take_out(n, taken);
    ++*from;
    return true;
  }
  return false;
}

TM_GATE_CODE_END
#endif
