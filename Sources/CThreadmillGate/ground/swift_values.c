#ifdef __linux__
#include "ground/base.h"
#include "ground/swift_values.h"
#include "ground/swift_layout.h"
#include "ground/text.h"

TM_GATE_CODE_BEGIN

/* A string of at most 15 bytes lies in its two words: the text, then kind and length in the last
 * byte. */
enum { SMALL = 15, SMALL_MARK = 0xE0, MARK_BITS = 0xF0, SMALL_UNICODE_MARK = 0xA0 };

static uint32_t read_small(tm_string_words s, char text[16]) {
  s.first >>= tm_moved[TM_LAYOUT_STRING];
  tm_copy(text, &s, sizeof s);
  uint8_t last = (uint8_t)text[SMALL], mark = last & MARK_BITS;
  text[SMALL] = 0;
  return mark == SMALL_MARK || mark == SMALL_UNICODE_MARK ? last & SMALL : 0;
}

/* A longer string lies 32 bytes behind its address, in storage of its own (mark 0) or in the
 * program (mark 0x80). */
static const char *large_text(tm_string_words s, uint64_t *length) {
  enum { BIAS = 32 };
  *length = s.first & 0x0000FFFFFFFFFFFF;
  if (s.second >> 56 & 0x7F) return NULL;
  return (const char *)(s.second & 0x0FFFFFFFFFFFFFFF) + BIAS;
}

uint32_t tm_string_small(tm_string_words s, char text[16]) {
  return tm_layout_is_usable(TM_LAYOUT_STRING) ? read_small(s, text) : 0;
}

uint32_t tm_text_append(const char *more, uint64_t length, char *text, uint32_t at, uint32_t size) {
  for (uint64_t i = 0; i < length && at + 1 < size; i++) text[at++] = more[i];
  text[at] = 0;
  return at;
}

uint32_t tm_string_append(tm_string_words s, char *text, uint32_t at, uint32_t size) {
  char small[16];
  if (!tm_layout_is_usable(TM_LAYOUT_STRING)) return at;
  uint64_t length = read_small(s, small);
  const char *more = length ? small : large_text(s, &length);
  return more ? tm_text_append(more, length, text, at, size) : at;
}

/* The words of an array's storage: its class, its references, the count, the capacity, and then the
 * elements. */
enum { COUNT_WORD = 2, ELEMENTS_WORD = 4 };

static const void *const *array_words(const void *array) {
  return (const void *const *)((const char *)array + tm_moved[TM_LAYOUT_ARRAY]);
}

uint64_t tm_array_count(const void *array) {
  return tm_layout_is_usable(TM_LAYOUT_ARRAY) ? (uintptr_t)array_words(array)[COUNT_WORD] : 0;
}

const void *tm_array_element(const void *array, uint64_t index) {
  return array_words(array)[ELEMENTS_WORD + index];
}

/* Compares the longer of the texts only if the words have the mark and the length of one, so that
 * no wild pointer is followed. */
static bool reads_as(tm_string_words s, const char *text) {
  char small[16];
  uint64_t length = read_small(s, small), expected = tm_text_length(text);
  if (length) return length == expected && tm_same(small, text, length);
  const char *large = large_text(s, &length);
  return large && expected > SMALL && length == expected && tm_same(large, text, length);
}

static const char *const texts[TM_SAMPLE_STRINGS] = {
    "isFinished", "gr\303\266\303\237er", "a literal in the program", "01234567890123456789"};

void tm_layout_samples(const tm_swift_samples *samples) {
  bool fits = true;
  for (int i = 0; i < TM_SAMPLE_STRINGS; i++)
    fits = fits && reads_as(samples->strings[i], texts[i]);
  tm_layout_compared(TM_LAYOUT_STRING, fits);
  fits = (uintptr_t)array_words(samples->array)[COUNT_WORD] == TM_SAMPLE_ELEMENTS;
  for (uint64_t i = 0; i < TM_SAMPLE_ELEMENTS; i++)
    fits = fits && tm_array_element(samples->array, i) == samples->elements[i];
  tm_layout_compared(TM_LAYOUT_ARRAY, fits);
}

TM_GATE_CODE_END
#endif
