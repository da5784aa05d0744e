#ifdef __linux__
#include "ground/base.h"
#include "calls/sanitizer/accesses.h"
#include "code/caller.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "seam/point.h"
#include "strand/attention.h"
#include "threadmill_control.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"
#include <errno.h>

TM_GATE_CODE_BEGIN

/* Memory accesses of a Thread Sanitizer build that was linked with `-Xlinker --wrap=__tsan_read8`,
 * `--wrap=__tsan_atomic64_load` and so on: the linker then sends each call of the program to
 * `__wrap_...`, and names the sanitizer's function `__real_...`. That function has to see the
 * program as its caller, so the wrapper jumps to it. Without the flags no code refers to these
 * functions.
 *
 * Each wrapper reads its return address first. The compiler may move code that it takes for
 * unlikely into a separate function, where the return address would be one of the wrapper. */

TM_SLOW void tm_accessed(const void *address, void *place, uint32_t size, bool writes) {
  tm_thread *t = tm_self;
  if (!t || t->ground.inside || !tm_is_shaken(t) || !tm_is_active()) return;
  if (TM_UNLIKELY(tm_memory_is_weak) && writes && t->control.seat) tm_memory_is_new(address, size);
  if (tm_caller_of(t, place) != TM_CALLER_USER) return;
  if (t->control.seat) {
    tm_step_kind kind = writes ? TM_STEP_WRITE : TM_STEP_READ;
    int before = errno; /* the access may be one of it */
    tm_control_sees_accesses();
    tm_control_access(&(tm_access){address, size, kind, (uintptr_t)place});
    errno = before;
    return;
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
    if (TM_UNLIKELY(tm_has_points())) tm_accessed(address, place, size, writes);  \
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

/* Atomic accesses are points of explorations only: jitter looks for accesses that race. Returns
 * whether the exploration's memory model has made the access. */
TM_SLOW static bool accessed_atomically(tm_atomic *a, void *place) {
  tm_thread *t = tm_self;
  if (!t || t->ground.inside || !t->control.seat || !tm_is_active()) return false;
  if (tm_caller_of(t, place) != TM_CALLER_USER) return false;
  tm_step_kind kind = a->kind == TM_ATOMIC_LOAD    ? TM_STEP_READ
                      : a->kind == TM_ATOMIC_STORE ? TM_STEP_WRITE
                                                   : TM_STEP_UPDATE;
  return tm_control_atomic(&(tm_access){(const void *)a->address, a->size, kind, (uintptr_t)place},
                           a);
}

TM_SLOW static void fenced(void *place, int order) {
  tm_thread *t = tm_self;
  tm_seat *s = tm_seat_here();
  if (!s || !tm_memory_is_weak || !tm_is_active()) return;
  if (tm_caller_of(t, place) == TM_CALLER_USER) tm_memory_fence(s, order);
}

static tm_wide wide(unsigned __int128 value) {
  return (tm_wide){(uint64_t)value, (uint64_t)(value >> 64)};
}

static unsigned __int128 whole(tm_wide value) {
  return (unsigned __int128)value.high << 64 | value.low;
}

/* `...` are the parameters; `call` has them as arguments, `the_order` to `the_expected` are those
 * of them that the memory model has to know. */
#define TM_WRAPPED_ATOMIC(result, name, call, the_kind, the_order, on_failure, the_operand,      \
                          the_expected, ...)                                                     \
  extern result __real___tsan_atomic##name(__VA_ARGS__) __attribute__((weak));                   \
  TM_EXPORT result __wrap___tsan_atomic##name(__VA_ARGS__);                                      \
  result __wrap___tsan_atomic##name(__VA_ARGS__) {                                               \
    void *place = __builtin_return_address(0);                                                   \
    __asm__ volatile("" : "+r"(place));                                                          \
    if (TM_UNLIKELY(tm_has_points())) {                                                          \
      tm_atomic a = {.address = word, .size = sizeof *word, .kind = the_kind};                   \
      a.order = the_order, a.failure = on_failure;                                               \
      a.operand = wide(the_operand), a.expected = wide(the_expected);                            \
      if (accessed_atomically(&a, place)) return (result)whole(a.value);                         \
    }                                                                                            \
    TM_JUMP(__real___tsan_atomic##name, call);                                                   \
  }

#define TM_WRAPPED_CHANGE(size, type, change, kind)                                         \
  TM_WRAPPED_ATOMIC(type, size##_##change, (word, value, order), kind, order, 0, value, 0, \
                    volatile type *word, type value, int order)

#define TM_WRAPPED_ATOMICS(size, type)                                                         \
  TM_WRAPPED_ATOMIC(type, size##_load, (word, order), TM_ATOMIC_LOAD, order, 0, 0, 0,         \
                    const volatile type *word, int order)                                      \
  TM_WRAPPED_ATOMIC(void, size##_store, (word, value, order), TM_ATOMIC_STORE, order, 0,      \
                    value, 0, volatile type *word, type value, int order)                      \
  TM_WRAPPED_ATOMIC(type, size##_compare_exchange_val, (word, old, value, order, failed),     \
                    TM_ATOMIC_COMPARE, order, failed, value, old, volatile type *word,         \
                    type old, type value, int order, int failed)                               \
  TM_WRAPPED_CHANGE(size, type, exchange, TM_ATOMIC_EXCHANGE)                                  \
  TM_WRAPPED_CHANGE(size, type, fetch_add, TM_ATOMIC_ADD)                                      \
  TM_WRAPPED_CHANGE(size, type, fetch_sub, TM_ATOMIC_SUBTRACT)                                 \
  TM_WRAPPED_CHANGE(size, type, fetch_and, TM_ATOMIC_AND)                                      \
  TM_WRAPPED_CHANGE(size, type, fetch_or, TM_ATOMIC_OR)                                        \
  TM_WRAPPED_CHANGE(size, type, fetch_xor, TM_ATOMIC_XOR)

TM_WRAPPED_ATOMICS(8, uint8_t)
TM_WRAPPED_ATOMICS(16, uint16_t)
TM_WRAPPED_ATOMICS(32, uint32_t)
TM_WRAPPED_ATOMICS(64, uint64_t)
TM_WRAPPED_ATOMICS(128, unsigned __int128)

extern void __real___tsan_atomic_thread_fence(int) __attribute__((weak));
TM_EXPORT void __wrap___tsan_atomic_thread_fence(int order);
void __wrap___tsan_atomic_thread_fence(int order) {
  void *place = __builtin_return_address(0);
  __asm__ volatile("" : "+r"(place));
  if (TM_UNLIKELY(tm_has_points())) fenced(place, order);
  TM_JUMP(__real___tsan_atomic_thread_fence, (order));
}

bool tm_atomics_are_wrapped(void) {
  return &__real___tsan_atomic64_load && &__real___tsan_atomic_thread_fence;
}

TM_GATE_CODE_END
#endif
