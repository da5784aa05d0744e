#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/pool.h"

TM_GATE_CODE_BEGIN

/* The objects of memory accesses. Variables that lie side by side in 8 aligned bytes are different
 * objects, as long as no access covers two of them: a reader of one does not race with a writer of
 * the other. Known for the whole exploration, because most variables lie where they lay in the
 * schedule before; of memory that is used for something else, only a word that is taken for one
 * object remains. */
enum { BYTES = 8 };

typedef struct word {
  uintptr_t address; /* a multiple of BYTES */
  uint32_t exploration;
  bool is_whole;         /* accessed in parts that overlap */
  uint8_t first[BYTES]; /* for each byte: the first one of its accesses, and 1 more; 0: none */
} word;

enum { WORDS = 1 << 14 };

static word *words; /* WORDS */

static uint32_t word_count, words_exploration;

static word *find_word(uintptr_t address) {
  uint64_t hash = tm_mix(0, address);
  for (uint32_t i = 0; i < WORDS; i++) {
    word *w = &words[(hash + i) % WORDS];
    if (w->exploration == words_exploration && w->address == address) return w;
    if (w->exploration == words_exploration) continue;
    if (word_count >= WORDS / 2) return NULL;
    word_count++;
    *w = (word){.address = address, .exploration = words_exploration};
    return w;
  }
  return NULL;
}

const void *tm_word_of(const void *address, uint32_t size) {
  uintptr_t aligned = (uintptr_t)address & ~(uintptr_t)(BYTES - 1);
  uint32_t first = (uint32_t)((uintptr_t)address - aligned);
  word *w = find_word(aligned);
  if (!w || w->is_whole) return (const void *)aligned;
  for (uint32_t i = first; i < first + size && i < BYTES; i++) {
    if (w->first[i] && w->first[i] != first + 1) w->is_whole = true;
    w->first[i] = (uint8_t)(first + 1);
  }
  return w->is_whole ? (const void *)aligned : address;
}

bool tm_words_prepare(void) {
  if (!words) words = tm_map(WORDS * sizeof *words);
  return words != NULL;
}

void tm_words_forget(void) {
  words_exploration++;
  word_count = 0;
}

TM_GATE_CODE_END
#endif
