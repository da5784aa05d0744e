#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "seam/point.h"
#include "strand/attention.h"
#include "threadmill_control.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Memory accesses of a Thread Sanitizer build that was linked with `-Xlinker --wrap=__tsan_read8`,
 * `--wrap=__tsan_atomic64_load` and so on: the linker then sends each call of the program to
 * `__wrap_...`, and names the sanitizer's function `__real_...`. That function has to see the
 * program as its caller, so the wrapper jumps to it. Without the flags no code refers to these
 * functions.
 *
 * Each wrapper reads its return address first. The compiler may move code that it takes for
 * unlikely into a separate function, where the return address would be one of the wrapper. */

TM_SLOW static void accessed(const void *address, void *place, uint32_t size, bool writes) {
  tm_thread *t = tm_self;
  if (!t || t->ground.inside || !tm_is_shaken(t) || !tm_is_active()) return;
  if (tm_caller_of(t, place) != TM_CALLER_USER) return;
  if (t->control.seat) {
    tm_step_kind kind = writes ? TM_STEP_WRITE : TM_STEP_READ;
    return tm_control_access(&(tm_access){address, size, kind, (uintptr_t)place});
  }
  const void *word = (const void *)((uintptr_t)address & ~(uintptr_t)7);
  tm_shake_point(t, TM_POINT_MEMORY, word, (uintptr_t)place);
}

/* Jumps to a weak function by its address: AArch64 has no direct jump to one. */
#define TM_JUMP(function, arguments)     \
  __typeof__(&(function)) to = function; \
  __asm__ volatile("" : "+r"(to));       \
  __attribute__((musttail)) return to arguments

#define TM_WRAPPED(access, size, writes)                                          \
  extern void __real___tsan_##access##size(void *) __attribute__((weak));         \
  TM_EXPORT void __wrap___tsan_##access##size(void *address);                     \
  void __wrap___tsan_##access##size(void *address) {                              \
    void *place = __builtin_return_address(0);                                    \
    __asm__ volatile("" : "+r"(place));                                           \
    if (TM_UNLIKELY(tm_has_points())) accessed(address, place, size, writes);     \
    TM_JUMP(__real___tsan_##access##size, (address));                             \
  }

TM_WRAPPED(read, 1, false)
TM_WRAPPED(read, 2, false)
TM_WRAPPED(read, 4, false)
TM_WRAPPED(read, 8, false)
TM_WRAPPED(read, 16, false)
TM_WRAPPED(write, 1, true)
TM_WRAPPED(write, 2, true)
TM_WRAPPED(write, 4, true)
TM_WRAPPED(write, 8, true)
TM_WRAPPED(write, 16, true)

/* Atomic accesses are points of explorations only: jitter looks for accesses that race. */
TM_SLOW static void accessed_atomically(const volatile void *address, void *place, uint32_t size,
                                        tm_step_kind kind) {
  tm_thread *t = tm_self;
  if (!t || t->ground.inside || !t->control.seat || !tm_is_active()) return;
  if (tm_caller_of(t, place) != TM_CALLER_USER) return;
  tm_control_atomic(&(tm_access){(const void *)address, size, kind, (uintptr_t)place});
}

/* `...` are the parameters; `call` has them as arguments. */
#define TM_WRAPPED_ATOMIC(result, name, call, kind, ...)                       \
  extern result __real___tsan_atomic##name(__VA_ARGS__) __attribute__((weak)); \
  TM_EXPORT result __wrap___tsan_atomic##name(__VA_ARGS__);                    \
  result __wrap___tsan_atomic##name(__VA_ARGS__) {                             \
    void *place = __builtin_return_address(0);                                 \
    __asm__ volatile("" : "+r"(place));                                        \
    if (TM_UNLIKELY(tm_has_points()))                                          \
      accessed_atomically(word, place, sizeof *word, kind);                    \
    TM_JUMP(__real___tsan_atomic##name, call);                                 \
  }

#define TM_WRAPPED_CHANGE(size, type, change)                                    \
  TM_WRAPPED_ATOMIC(type, size##_##change, (word, value, order), TM_STEP_UPDATE, \
                    volatile type *word, type value, int order)

#define TM_WRAPPED_ATOMICS(size, type)                                                            \
  TM_WRAPPED_ATOMIC(type, size##_load, (word, order), TM_STEP_READ, const volatile type *word,    \
                    int order)                                                                    \
  TM_WRAPPED_ATOMIC(void, size##_store, (word, value, order), TM_STEP_WRITE, volatile type *word, \
                    type value, int order)                                                        \
  TM_WRAPPED_ATOMIC(type, size##_compare_exchange_val, (word, old, value, order, failed),         \
                    TM_STEP_UPDATE, volatile type *word, type old, type value, int order,         \
                    int failed)                                                                   \
  TM_WRAPPED_CHANGE(size, type, exchange)                                                         \
  TM_WRAPPED_CHANGE(size, type, fetch_add)                                                        \
  TM_WRAPPED_CHANGE(size, type, fetch_sub)                                                        \
  TM_WRAPPED_CHANGE(size, type, fetch_and)                                                        \
  TM_WRAPPED_CHANGE(size, type, fetch_or)                                                         \
  TM_WRAPPED_CHANGE(size, type, fetch_xor)

TM_WRAPPED_ATOMICS(8, uint8_t)
TM_WRAPPED_ATOMICS(16, uint16_t)
TM_WRAPPED_ATOMICS(32, uint32_t)
TM_WRAPPED_ATOMICS(64, uint64_t)
TM_WRAPPED_ATOMICS(128, unsigned __int128)

TM_GATE_CODE_END
#endif
