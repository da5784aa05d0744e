#ifdef __linux__
#include "ground/base.h"
#include "code/trail.h"
#include "code/code_kind.h"
#include "ground/kernel.h"
#include "ground/pool.h"
#include "ground/thread.h"

TM_GATE_CODE_BEGIN

/* A return address determines the function that it leads to, the size of that function's frame, and
 * so the place of the next return address. If the innermost address is equal, and each further one
 * lies at its known distance, the whole stack is equal. A look in this order reads frames only. */
typedef struct step {
  uintptr_t address;
  uint32_t place; /* in words above the frame of the interposed function */
} step;
typedef struct trail {
  uint64_t name;
  uint32_t count; /* 0: its stack cannot be recognised by places */
  step steps[];
} trail;

enum { TRAILS = 8192, NEIGHBOURS = 32, REACH = 4096 /* words of a stack */, NAMED = 4, BEYOND = 0 };

/* Trails never change and are never freed, so readers need no lock. When a neighbourhood is full,
 * the unwinder is asked each time. */
static trail *_Atomic trails[TRAILS];

/* If many stacks share a name, further trails have a longer one, of more addresses. A stem is a
 * name and a place in which stacks of that name have the next address. A function whose frame has
 * no fixed size makes several places of it. */
enum { STEMS = 65536, STEM_NEIGHBOURS = 16, MOST_NAMED = 24 /* addresses */, WAYS = 4 };
static struct {
  _Atomic uint64_t name;
  atomic_uint place; /* 0 until it is known */
} stems[STEMS];

uint64_t tm_trail_name(const uintptr_t *walked, uint32_t count, uint32_t limit) {
  uint64_t name = limit;
  for (uint32_t i = 0; i < count && i < NAMED && tm_is_code(walked[i]); i++)
    name = tm_mix(name, walked[i]);
  return name;
}

/* The neighbours of a name lie at a distance that is its own: a name with many stacks fills few
 * neighbours of another one. The distance is odd and a table's size a power of two, so no neighbour
 * comes twice. */
static uint32_t neighbour_of(uint64_t name, uint32_t number) {
  return (uint32_t)(name >> 32) + number * ((uint32_t)name | 1);
}

static trail *_Atomic *place_of(uint64_t name, uint32_t number) {
  return &trails[neighbour_of(name, number) % TRAILS];
}

/* Returns the place of the stem of that number, or NULL. Takes a free one for it if `takes`. */
static atomic_uint *stem_of(uint64_t name, uint32_t number, bool takes) {
  name = tm_mix(name, number);
  for (uint32_t i = 0; i < STEM_NEIGHBOURS; i++) {
    uint32_t at = neighbour_of(name, i) % STEMS;
    uint64_t known = atomic_load_explicit(&stems[at].name, memory_order_relaxed);
    if (known == 0 && takes &&
        atomic_compare_exchange_strong_explicit(&stems[at].name, &known, name, memory_order_relaxed,
                                                memory_order_relaxed))
      return &stems[at].place;
    if (known == name) return &stems[at].place;
    if (known == 0) return NULL;
  }
  return NULL;
}

static uint64_t longer_by(uint64_t name, uint32_t place, uintptr_t address) {
  return tm_mix(tm_mix(name, place), address);
}

/* The longest name that is known for the stack whose words these are. */
static uint64_t lengthened(uint64_t name, const uintptr_t *words, uintptr_t end) {
  for (uint32_t i = 1, number = 0; i < MOST_NAMED && number < WAYS;) {
    const atomic_uint *stem = stem_of(name, number, false);
    uint32_t place = stem ? atomic_load_explicit(stem, memory_order_relaxed) : 0;
    if (place == 0) break;
    uint64_t longer = place < end ? longer_by(name, place, words[place]) : 0;
    bool is_known = longer && stem_of(longer, 0, false);
    if (is_known) name = longer, number = 0, i++;
    else number++;
  }
  return name;
}

/* Returns whether stacks of the name are known to have the next address at the place, from now on.
 */
static bool note_stem(uint64_t name, uint32_t place) {
  for (uint32_t number = 0; number < WAYS; number++) {
    atomic_uint *stem = stem_of(name, number, true);
    unsigned known = 0;
    if (!stem) return false;
    if (atomic_compare_exchange_strong_explicit(stem, &known, place, memory_order_relaxed,
                                                memory_order_relaxed) ||
        known == place)
      return true;
  }
  return false;
}

/* Notes where this stack has its addresses, for each of its names. */
static void note_stems(const trail *fresh) {
  uint64_t name = fresh->name;
  for (uint32_t i = 1; i < MOST_NAMED && i < fresh->count; i++) {
    const step *next = &fresh->steps[i];
    if (next->place == BEYOND || !note_stem(name, next->place)) break;
    name = longer_by(name, next->place, next->address);
    if (!stem_of(name, 0, true)) break;
  }
}

static bool lies_here(const tm_thread *t, const uintptr_t *words, const trail *known) {
  uintptr_t room = (t->code.stack_top - (uintptr_t)words) / sizeof(uintptr_t);
  if (known->count == 0) return false;
  for (uint32_t i = 0; i < known->count; i++) {
    uint32_t place = known->steps[i].place;
    if (place == BEYOND) break;
    if (place >= room || words[place] != known->steps[i].address) return false;
  }
  return true;
}

static const trail *find_named(const tm_thread *t, const uintptr_t *frame, uint64_t name,
                               bool *is_full) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    const trail *known = atomic_load_explicit(place_of(name, i), memory_order_acquire);
    if (!known) return NULL;
    if (known->name == name && lies_here(t, frame, known)) return known;
  }
  *is_full = true;
  return NULL;
}

static const trail *find(const tm_thread *t, const uintptr_t *frame, uint64_t name) {
  bool is_full = false;
  const trail *known = find_named(t, frame, name, &is_full);
  if (known || !is_full) return known;
  uintptr_t room = (t->code.stack_top - (uintptr_t)frame) / sizeof(uintptr_t);
  uint64_t longer = lengthened(name, frame, room < REACH ? room : REACH);
  return longer == name ? NULL : find_named(t, frame, longer, &is_full);
}

uint32_t tm_trail_follow(const tm_thread *t, void *frame, uint64_t name, uintptr_t *addresses) {
  const trail *known = find(t, frame, name);
  if (!known) return 0;
  for (uint32_t s = 0; s < known->count; s++) addresses[s] = known->steps[s].address;
  return known->count;
}

uint32_t tm_trail_words(const tm_thread *t, void *frame, uint64_t name, uint32_t limit,
                        const uintptr_t **words, uint32_t *count) {
  const trail *known = find(t, frame, name);
  *count = 0;
  if (!known) return 0;
  for (uint32_t s = 0; s < known->count && s < limit && known->steps[s].place != BEYOND; s++)
    words[(*count)++] = (const uintptr_t *)frame + known->steps[s].place;
  return known->count;
}

/* Returns the first place of the address from `from` on; `end` if there is none. */
static uint32_t find_word(const uintptr_t *words, uint32_t from, uint32_t end, uintptr_t address) {
  while (from < end && words[from] != address) from++;
  return from;
}

/* The stack to be learnt, and the memory above its innermost frame. */
typedef struct laying {
  const uintptr_t *addresses, *places, *words;
  uintptr_t frame;
  uint32_t all, end; /* of the words */
} laying;

/* Returns the word in which the unwinder has found the address; 0 if it does not know, `end` if it
 * is beyond. */
static uint32_t told_word(const laying *l, uint32_t i, uint32_t from) {
  if (l->places[i] <= l->frame) return 0;
  uintptr_t word = (l->places[i] - l->frame) / sizeof(uintptr_t);
  if (word >= l->end) return l->end;
  return word > from && l->words[word] == l->addresses[i] ? (uint32_t)word : 0;
}

/* Notes the place of each address. A leftover of an earlier call looks like a return address, too:
 * if the unwinder does not know the place, returns false unless the address has only one place
 * between its neighbours, the one beyond the stack included. Addresses above the thread's first
 * function of interest have no place; they are equal for all stacks that come through that
 * function. */
static bool lay_out(trail *fresh, const laying *l) {
  uint32_t from = 0, i = 0, end = l->end;
  bool is_told = true;
  for (; i <= fresh->count && i < l->all; i++) {
    uint32_t told = told_word(l, i, from);
    uint32_t place = told ? told : find_word(l->words, from + 1, end, l->addresses[i]);
    if (!is_told && find_word(l->words, from + 1, place, l->addresses[i - 1]) < place) return false;
    if (place == end) break;
    if (i < fresh->count) fresh->steps[i] = (step){l->addresses[i], place};
    from = place;
    is_told = told;
  }
  bool whole = end < REACH || i >= fresh->count;
  for (; i < fresh->count; i++) fresh->steps[i] = (step){l->addresses[i], BEYOND};
  return whole && fresh->steps[0].place == 1;
}

typedef enum { HAS_ROOM, IS_FULL, IS_DOUBTFUL } neighbourhood;

/* A stack of a name of which another stack could not be laid out is not learnt. */
static neighbourhood look_around(uint64_t name) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    const trail *known = atomic_load_explicit(place_of(name, i), memory_order_acquire);
    if (!known) return HAS_ROOM;
    if (known->name == name && known->count == 0) return IS_DOUBTFUL;
  }
  return IS_FULL;
}

static bool publish(trail *fresh) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    trail *none = NULL;
    if (atomic_compare_exchange_strong(place_of(fresh->name, i), &none, fresh)) return true;
  }
  return false;
}

/* The kernel copies the memory above the frame, because a signal handler's stack may end
 * anywhere. */
void tm_trail_learn(const tm_thread *t, void *frame, uint64_t name, const uintptr_t *addresses,
                    const uintptr_t *places, uint32_t count, uint32_t all) {
  neighbourhood around = look_around(name);
  if (count == 0 || around == IS_DOUBTFUL) return;
  size_t reach = REACH * sizeof(uintptr_t), size = sizeof(trail) + count * sizeof(step);
  uintptr_t room = (t->code.stack_top - (uintptr_t)frame) / sizeof(uintptr_t);
  uint32_t end = room < REACH ? (uint32_t)room : REACH;
  trail *fresh = tm_pool_take(size);
  uintptr_t *words = tm_map(reach);
  if (fresh && words) {
    fresh->name = name, fresh->count = count;
    bool known = tm_peek(frame, words, end * sizeof(uintptr_t));
    laying all_of = {addresses, places, words, (uintptr_t)frame, all, end};
    if (!known || !lay_out(fresh, &all_of)) fresh->count = 0;
    if (around == IS_FULL && fresh->count > 0) {
      note_stems(fresh);
      fresh->name = lengthened(name, words, end);
    }
    if (look_around(fresh->name) == HAS_ROOM && publish(fresh)) fresh = NULL;
  }
  if (fresh) tm_pool_give(fresh, size);
  if (words) tm_unmap(words, reach);
}

TM_GATE_CODE_END
#endif
