/* First include of every file here: the feature macro and the small words. */
#ifndef TM_BASE_H
#define TM_BASE_H
#ifndef _GNU_SOURCE
  #define _GNU_SOURCE
#endif
#define TM_LIKELY(x) __builtin_expect(!!(x), 1)
#define TM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TM_INLINE static inline __attribute__((always_inline))
#define TM_SLOW __attribute__((noinline, cold))
#define TM_EXPORT __attribute__((visibility("default")))

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
