#ifdef __linux__
#include "ground/base.h"
#include "control/call.h"
#include "control/model.h"
#include "ground/real.h"
#include "ground/tsan.h"

TM_GATE_CODE_BEGIN

/* `AtomicLazyReference` of the library Synchronization: a load acquires what the store has
 * released. Its accesses are the library's, and neither TSan nor the Scheduler's memory model sees
 * them. Under control, each call is a step. */

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define PLACE ((uintptr_t)__builtin_return_address(0))

/* The library may have been loaded while the program ran. */
#define REAL(type, field, symbol) \
  ((type)(TM_LIKELY(tm_real.field) ? tm_real.field : tm_real_demand(&tm_real.field, symbol)))

static void orders(void) {
  const tm_seat *s = tm_seat_here();
  if (TM_UNLIKELY(tm_memory_is_weak) && s) tm_memory_synchronise(s->flow, TM_STEP_ONCE);
}

typedef SWIFT void *(*load_function)(const void *type, SELF const void *self);
TM_EXPORT SWIFT void *tm_lazy_load(const void *type, SELF const void *self) __asm__(TM_LAZY_LOAD);
SWIFT void *tm_lazy_load(const void *type, SELF const void *self) {
  tm_control_call(TM_STEP_READ, self, PLACE);
  orders();
  void *found = REAL(load_function, lazy_load, TM_LAZY_LOAD)(type, self);
  tm_tsan_acquire(self);
  return found;
}

typedef SWIFT void *(*store_function)(void *object, const void *type, SELF const void *self);
TM_EXPORT SWIFT void *tm_lazy_store(void *object, const void *type,
                                    SELF const void *self) __asm__(TM_LAZY_STORE);
SWIFT void *tm_lazy_store(void *object, const void *type, SELF const void *self) {
  tm_control_call(TM_STEP_UPDATE, self, PLACE);
  orders();
  tm_tsan_release(self);
  void *kept = REAL(store_function, lazy_store, TM_LAZY_STORE)(object, type, self);
  tm_tsan_acquire(self);
  return kept;
}

TM_GATE_CODE_END
#endif
