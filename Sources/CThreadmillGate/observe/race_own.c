#ifdef __linux__
#include "ground/base.h"
#include "ground/thread.h"
#include "observe/race_report.h"
#include "strand/fibre.h"
#include "strand/roots.h"

TM_GATE_CODE_BEGIN

/* Memory of one thread. TSan compares fibres, so two strands that use such memory one after the
 * other look like a race. A thread-local variable is known as such to TSan. Memory of the heap
 * belongs to the thread if thread-specific data of the thread (pthread_setspecific, which
 * Foundation's `threadDictionary` is made of) or a thread-local variable of the program leads to
 * it. The search follows pointers through blocks of the heap as long as it has room. It starts from
 * the data as they were when the strand began: what is there since may lead to all that the
 * strand uses, as Foundation's current operation does. */

enum { BLOCKS = 1024, SHARED = 40 }; /* bits that addresses of the heap share with each other */

extern size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

/* Used by one thread at a time: TSan makes one report at a time. */
static uintptr_t blocks[BLOCKS];
static uint32_t count;

static void reach(uintptr_t address, uintptr_t wanted) {
  if (address & 15 || address >> SHARED != wanted >> SHARED || count == BLOCKS) return;
  if (!__sanitizer_get_allocated_size((const void *)address)) return;
  for (uint32_t i = 0; i < count; i++)
    if (blocks[i] == address) return;
  blocks[count++] = address;
}

static void reach_from(const uintptr_t *words, size_t size, uintptr_t wanted) {
  for (size_t i = 0; i < size / sizeof(uintptr_t); i++) reach(words[i], wanted);
}

/* Takes the roots as they are only where no strand runs. */
static bool leads_to(const tm_thread *t, uintptr_t wanted) {
  static tm_roots now;
  const tm_roots *roots = t->strand.roots;
  if (!roots) tm_roots_take(&now), roots = &now;
  count = 0;
  reach_from(roots->words, roots->count * sizeof *roots->words, wanted);
  for (uint32_t i = 0; i < count; i++) {
    if (blocks[i] == wanted) return true;
    size_t size = __sanitizer_get_allocated_size((const void *)blocks[i]);
    reach_from((const uintptr_t *)blocks[i], size, wanted);
  }
  return false;
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
  if (r->memory == TM_MEMORY_THREAD_LOCAL) return true;
  return r->memory == TM_MEMORY_HEAP && __sanitizer_get_allocated_size &&
         leads_to(tm_self, r->start);
}

TM_GATE_CODE_END
#endif
