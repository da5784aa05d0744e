/* Texts, without the C library. Thread Sanitizer intercepts the library's functions, and may stop a
 * thread in any of them until a report is written; a thread that holds a lock must not wait for
 * that. */
#ifndef TM_TEXT_H
#define TM_TEXT_H
#include "ground/base.h"

TM_INLINE size_t tm_text_length(const char *text) { return tm_length(text, SIZE_MAX); }

TM_INLINE bool tm_text_begins(const char *text, const char *with) {
  for (; *with; text++, with++)
    if (*text != *with) return false;
  return true;
}

TM_INLINE bool tm_text_is(const char *a, const char *b) {
  for (; *a == *b; a++, b++)
    if (!*a) return true;
  return false;
}

TM_INLINE bool tm_text_has(const char *text, const char *part) {
  for (; *text; text++)
    if (tm_text_begins(text, part)) return true;
  return !*part;
}

/* Returns what follows the last slash. */
TM_INLINE const char *tm_last_of_path(const char *path) {
  const char *name = path;
  for (; *path; path++)
    if (*path == '/') name = path + 1;
  return name;
}

#endif
