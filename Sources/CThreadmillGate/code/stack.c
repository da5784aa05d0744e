#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "code/caller.h"
#include "code/code_kind.h"
#include "code/lost_caller.h"
#include "code/trail.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <ucontext.h>

TM_GATE_CODE_BEGIN

enum { ARENA_WORDS = 1 << 23, BUCKETS = 1 << 14 };
static tm_unwinder unwind_here;
static tm_context_unwinder unwind_context;

void tm_set_unwinders(tm_unwinder here, tm_context_unwinder from_signal) {
  unwind_here = here;
  unwind_context = from_signal;
}

uint32_t tm_stack_of_context(void *context, uintptr_t *addresses, uint32_t limit) {
  if (!unwind_context) return 0;
  tm_quiet before = tm_quiet_begin();
  uint32_t found = unwind_context(context, addresses, limit);
  tm_quiet_end(before);
  return found;
}

/* The outermost frame is the one at the top that the gate knows, or one that the C library called.
 */
uint32_t tm_stack_walk(const tm_thread *t, void *frame, uintptr_t *addresses, uint32_t limit,
                       bool *broken) {
  uint32_t count = 0;
  uintptr_t at = (uintptr_t)frame, last = at;
  if (at & 7 || at + 16 > t->code.stack_top) at = 0;
  for (; at && count < limit; at = tm_frame_above(t, at)) {
    addresses[count++] = ((uintptr_t *)at)[1];
    last = at;
  }
  if (count == TM_STACK) tm_count_one(TM_STACKS_TRUNCATED);
  *broken = count == 0 || (count < limit && last + 16 != t->code.stack_top &&
                           !tm_is_libc_code(addresses[count - 1]));
  return count;
}

/* Frames of the gate itself, between the unwinder and the interposed function. */
enum { INNER = 8 };

/* Libraries are built without frame pointers: the chain may leave out the function that called into
 * a library, which is the very frame that a reader wants. */
enum { INNERMOST = 3 };

static bool leads_through_library(const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = 0; i < count && i < INNERMOST; i++)
    if (tm_is_library(addresses[i])) return true;
  return false;
}

/* Inserts the missing caller behind the innermost frame, and ends the stack at the first address
 * that is no code. */
static void insert(uintptr_t *stack, uintptr_t *places, uint32_t *start, uint32_t *end,
                   uintptr_t caller) {
  stack[*start - 1] = stack[*start], places[*start - 1] = places[*start];
  stack[*start] = caller, places[*start] = 0;
  uint32_t last = *start + 1;
  while (last < *end && tm_is_code(stack[last])) last++;
  *end = last;
  --*start;
}

/* Asks the unwinder, and remembers its answer. The unwinder opens files, writes to a pipe to try
 * addresses, and takes locks. */
static uint32_t unwind(const tm_thread *t, void *frame, uint64_t name, uintptr_t *addresses,
                       uint32_t count, uint32_t limit) {
  uintptr_t other[TM_STACK + INNER], places[TM_STACK + INNER];
  tm_quiet before = tm_quiet_begin();
  /* The unwinder's locks are not watched. */
  tm_thread *self = tm_self;
  if (self) self->ground.inside++;
  uint32_t found = unwind_here(other, places, limit + INNER), start = 0;
  if (self) self->ground.inside--;
  while (start < found && other[start] != addresses[0]) start++;
  if (start < found) {
    bool by_frames = found - start == 1 || (count > 1 && other[start + 1] == addresses[1]);
    bool may_lose = by_frames && start > 0;
    uintptr_t lost = may_lose ? tm_lost_caller(t, frame, other + start, found - start) : 0;
    if (lost) insert(other, places, &start, &found, lost);
    count = found - start < limit ? found - start : limit;
    tm_trail_learn(t, frame, name, other + start, places + start, count, found - start);
    tm_copy(addresses, other + start, count * sizeof(uintptr_t));
  }
  tm_quiet_end(before);
  return count;
}

uint32_t tm_stack_take(const tm_thread *t, void *frame, uintptr_t *addresses, uint32_t limit) {
  bool broken;
  uint32_t count = tm_stack_walk(t, frame, addresses, limit, &broken);
  if (!unwind_here || count == 0) return count;
  if (!broken && !leads_through_library(addresses, count)) return count;
  uint64_t name = tm_trail_name(addresses, count, limit);
  uint32_t known = tm_trail_follow(t, frame, name, addresses);
  return known ? known : unwind(t, frame, name, addresses, count, limit);
}

/* Libraries are built without frame pointers, so that the unwinder comes first: it starts from the
 * caller's registers as the frame of the wait gives them. */
uint32_t tm_stack_of_waiting(const tm_thread *t, void *frame, uintptr_t *addresses,
                             uint32_t limit) {
  bool broken;
  uint32_t count = tm_stack_walk(t, frame, addresses, limit, &broken);
#if defined(__x86_64__)
  if (count == 0) return count;
  if (!broken && !leads_through_library(addresses, count)) return count;
  ucontext_t context;
  tm_clear(&context, sizeof context);
  context.uc_mcontext.gregs[REG_RIP] = (greg_t)((uintptr_t *)frame)[1];
  context.uc_mcontext.gregs[REG_RBP] = (greg_t)((uintptr_t *)frame)[0];
  context.uc_mcontext.gregs[REG_RSP] = (greg_t)((uintptr_t)frame + 16);
  uintptr_t other[TM_STACK];
  uint32_t found = tm_stack_of_context(&context, other, limit < TM_STACK ? limit : TM_STACK);
  if (found <= count) return count;
  tm_copy(addresses, other, found * sizeof(uintptr_t));
  return found;
#else
  return count;
#endif
}

void tm_site_take_whole(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uint32_t count = tm_site_end(site, tm_stack_take(t, frame, site, TM_SITE));
  for (uint32_t i = count; i < TM_SITE; i++) site[i] = 0;
}

/* The depot: one arena, append only; an index is a position in it. */
typedef struct kept {
  uint32_t next, count;
  uintptr_t addresses[];
} kept;
static tm_spin depot_lock;
static uintptr_t *arena;
static uint32_t arena_used = 1;
static uint32_t buckets[BUCKETS];

static uint32_t depot_find(uint32_t bucket, const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = buckets[bucket]; i; i = ((kept *)&arena[i])->next) {
    const kept *k = (kept *)&arena[i];
    if (k->count == count && tm_same(k->addresses, addresses, count * sizeof(uintptr_t))) return i;
  }
  return 0;
}

static uint32_t depot_add(uint32_t bucket, const uintptr_t *addresses, uint32_t count) {
  if (!arena) arena = tm_map(ARENA_WORDS * sizeof(uintptr_t));
  if (!arena || arena_used + 1 + count > ARENA_WORDS) {
    tm_count_one(TM_STACKS_DROPPED);
    return 0;
  }
  uint32_t index = arena_used;
  kept *k = (kept *)&arena[index];
  k->next = buckets[bucket];
  k->count = count;
  tm_copy(k->addresses, addresses, count * sizeof(uintptr_t));
  arena_used += 1 + count;
  buckets[bucket] = index;
  return index;
}

uint32_t tm_stack_keep(const uintptr_t *addresses, uint32_t count) {
  if (count == 0) return 0;
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = tm_mix(hash, addresses[i]);
  uint32_t bucket = (hash >> 32) % BUCKETS;
  tm_spin_lock(&depot_lock);
  uint32_t index = arena ? depot_find(bucket, addresses, count) : 0;
  if (!index) index = depot_add(bucket, addresses, count);
  tm_spin_unlock(&depot_lock);
  return index;
}

const uintptr_t *tm_stack_kept(uint32_t index, uint32_t *count) {
  if (!index) {
    *count = 0;
    return NULL;
  }
  const kept *k = (kept *)&arena[index];
  *count = k->count;
  return k->addresses;
}

enum { TEXT_WORDS = 8 };

uint32_t tm_text_keep(const char *text) {
  uintptr_t words[TEXT_WORDS] = {0};
  if (!text || !*text) return 0;
  tm_copy(words, text, tm_length(text, sizeof words - 1));
  return tm_stack_keep(words, TEXT_WORDS);
}

const char *tm_text_kept(uint32_t index) {
  uint32_t count;
  return (const char *)tm_stack_kept(index, &count);
}

TM_GATE_CODE_END
#endif
