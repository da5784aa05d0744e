#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/thread.h"
#include "observe/race_report.h"
#include "strand/fibre.h"
#include "strand/roots.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Memory of one thread. TSan compares fibres, so two strands that use such memory one after the
 * other look like a race. A thread-local variable is known as such to TSan. Memory of the heap
 * belongs to the thread if thread-specific data of the thread (pthread_setspecific, which
 * Foundation's `threadDictionary` is made of) or a thread-local variable of the program leads to
 * it. The search follows pointers through blocks of the heap. It starts from the data as they were
 * when the strand began: what is there since may lead to all that the strand uses, as Foundation's
 * current operation does. */

/* How many blocks and words of blocks the search looks at. */
enum { BLOCKS = 8192, BLOCK_PLACES = 2 * BLOCKS, WORDS = 1 << 20, PART = 512 };

extern size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

/* Used by one thread at a time: TSan makes one report at a time. */
static struct {
  uintptr_t blocks[BLOCKS];
  uint32_t count, words;
  uint32_t places[BLOCK_PLACES]; /* an open table; 0: empty, else the number of a block + 1 */
  bool cut;                      /* there is more than the search has looked at */
} search;

/* Returns the size of the block that begins at the address; 0 if none does. TSan looks the answer
 * up in memory of its own, which on x86-64 is there for every address. */
static size_t size_of_block(uintptr_t address) {
#ifndef __x86_64__
  uint64_t first;
  if (!tm_peek((const void *)address, &first, sizeof first)) return 0;
#endif
  return __sanitizer_get_allocated_size((const void *)address);
}

static void reach(uintptr_t address) {
  if (!tm_may_be_block(address)) return;
  uint32_t at = (uint32_t)(tm_mix(0, address) >> 32) % BLOCK_PLACES;
  for (; search.places[at]; at = (at + 1) % BLOCK_PLACES)
    if (search.blocks[search.places[at] - 1] == address) return;
  if (!size_of_block(address)) return;
  if (search.count == BLOCKS) {
    search.cut = true;
    return;
  }
  search.blocks[search.count++] = address;
  search.places[at] = search.count;
}

static void reach_from(const uintptr_t *words, size_t count) {
  for (size_t i = 0; i < count; i++) reach(words[i]);
}

/* Another thread may free the block meanwhile. */
static void search_block(uintptr_t block) {
  static uintptr_t words[PART];
  size_t count = size_of_block(block) / sizeof *words;
  for (size_t at = 0, part; at < count; at += part) {
    part = count - at < PART ? count - at : PART;
    if (!tm_peek((const uintptr_t *)block + at, words, part * sizeof *words)) return;
    if ((search.words += (uint32_t)part) > WORDS) {
      search.cut = true;
      return;
    }
    reach_from(words, part);
  }
}

typedef enum answer { NO, YES, UNKNOWN } answer;

/* Takes the roots as they are only where no strand runs. */
static answer leads_to(const tm_thread *t, uintptr_t wanted) {
  static tm_roots now;
  const tm_roots *roots = t->strand.roots;
  if (!roots) tm_roots_take(&now), roots = &now;
  tm_clear(&search, sizeof search);
  reach_from(roots->words, roots->count);
  for (uint32_t i = 0; i < search.count; i++) {
    uintptr_t block = search.blocks[i];
    if (block == wanted) return YES;
    search_block(block);
  }
  return search.cut || !tm_roots_are_all(roots) ? UNKNOWN : NO;
}

/* Returns whether the access may be one of this thread's. */
static bool is_of(const tm_race_report *r, const tm_raw_access *access, uint32_t thread) {
  for (int i = 0; i < r->thread_count; i++) {
    const tm_raw_thread *t = &r->threads[i];
    if (t->number != access->thread) continue;
    return t->fibre < 0 ? t->known == thread : tm_fibre_ran_on(t->fibre, thread);
  }
  return false;
}

bool tm_race_is_threads_own(const tm_race_report *r) {
  if (!tm_fibres_on || !r->reporter || r->access_count < 2) return false;
  for (int i = 0; i < r->access_count; i++)
    if (!is_of(r, &r->accesses[i], r->reporter)) return false;
  answer own = NO;
  if (r->memory == TM_MEMORY_THREAD_LOCAL) own = YES;
  if (r->memory == TM_MEMORY_HEAP && __sanitizer_get_allocated_size)
    own = leads_to(tm_self, r->start);
  if (own == YES) tm_count_one(TM_RACES_OWN);
  if (own == UNKNOWN) tm_count_one(TM_RACES_PERHAPS_OWN);
  return own != NO;
}

TM_GATE_CODE_END
#endif
