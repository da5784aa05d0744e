/* First include of every file here: the feature macro and the small words. */
#ifndef TM_BASE_H
#define TM_BASE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define TM_LIKELY(x) __builtin_expect(!!(x), 1)
#define TM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TM_INLINE static inline __attribute__((always_inline))
#define TM_SLOW __attribute__((noinline, cold))
#define TM_EXPORT __attribute__((visibility("default")))

/* Mixes a value into a hash. */
TM_INLINE uint64_t tm_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

/* The C library's functions of this kind are intercepted by TSan, and every call would use up the
 * thread's history; the barrier keeps the compiler from putting them back. */
TM_INLINE void tm_copy(void *to, const void *from, size_t size) {
  size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    __builtin_memcpy_inline((char *)to + i, (const char *)from + i, 32);
    __asm__ volatile("" ::: "memory");
  }
  for (; i + 8 <= size; i += 8) {
    __builtin_memcpy_inline((char *)to + i, (const char *)from + i, 8);
    __asm__ volatile("" ::: "memory");
  }
  for (; i < size; i++) {
    ((char *)to)[i] = ((const char *)from)[i];
    __asm__ volatile("" ::: "memory");
  }
}
TM_INLINE void tm_clear(void *at, size_t size) {
  size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    __builtin_memset_inline((char *)at + i, 0, 32);
    __asm__ volatile("" ::: "memory");
  }
  for (; i + 8 <= size; i += 8) {
    __builtin_memset_inline((char *)at + i, 0, 8);
    __asm__ volatile("" ::: "memory");
  }
  for (; i < size; i++) {
    ((char *)at)[i] = 0;
    __asm__ volatile("" ::: "memory");
  }
}
TM_INLINE int tm_same(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (((const char *)a)[i] != ((const char *)b)[i]) return 0;
  return 1;
}
TM_INLINE size_t tm_length(const char *text, size_t limit) {
  size_t length = 0;
  for (; length < limit && text[length]; length++) __asm__ volatile("" ::: "memory");
  return length;
}

/* Around the functions of every file here, after the system's headers. TSan must not see the gate's
 * own memory accesses, or the happens-before edges that it draws from them would hide the user's
 * races. And all functions lie in one section, so that a report can leave the gate's own frames
 * out. */
/* clang-format off */
#define TM_PRAGMA(text) _Pragma(#text)
#define TM_PUSH(attributes) \
  TM_PRAGMA(clang attribute push(__attribute__((attributes)), apply_to = function))
#define TM_GATE_CODE_BEGIN \
  TM_PUSH(disable_sanitizer_instrumentation) TM_PUSH(section("threadmill_gate"))
#define TM_GATE_CODE_END _Pragma("clang attribute pop") _Pragma("clang attribute pop")
/* clang-format on */
#endif
