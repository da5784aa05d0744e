#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "observe/blocked.h"
#include "observe/inversion.h"
#include "observe/profile.h"
#include "seam/point.h"
#include "seam/users_call.h"
#include "strand/attention.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/thread.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* `Synchronization.Mutex` is inlined into the user's code; only its contended path makes a call.
 * Its word holds the owner's kernel thread number, which is all that the wait-for graph needs.
 *
 * TSan sees the atomic operations of the short path, but not what the kernel does to the word on
 * the long path. The gate draws the edges of the long path on the word itself, like those of the
 * short path. */

#define TM_SELF __attribute__((swift_context)) void *self
typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t, TM_SELF);
typedef __attribute__((swiftcall)) bool (*try_lock_function)(TM_SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(TM_SELF);

__attribute__((swiftcall)) TM_EXPORT void
tm_mutex_lock_slow(uint32_t thread,
                   TM_SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) TM_EXPORT bool
    tm_mutex_try_lock_slow(TM_SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
__attribute__((swiftcall)) TM_EXPORT void
    tm_mutex_unlock_slow(TM_SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static void *demanded(void **field, const char *name) {
  return TM_LIKELY(*field != NULL) ? *field : tm_real_demand(field, name);
}

__attribute__((swiftcall)) void tm_mutex_lock_slow(uint32_t thread, TM_SELF) {
  lock_function real = (lock_function)demanded(&tm_real.mutex_lock_slow, "Mutex._lockSlow");
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) {
    real(thread, self);
    return tm_tsan_acquire(self);
  }
  TM_POINT(t, BEFORE, self);
  tm_operation op = {.action = TM_ACQUIRE,
                     .object = self,
                     .kind = TM_SWIFT_MUTEX,
                     .frame = __builtin_frame_address(0)};
  tm_site_take(t, op.frame, op.site);
  atomic_fetch_add(&tm_joiners, 1);
  tm_wait_begin(t, &op, false);
  tm_about_to_block(t, &op);
  tm_profiled profiled;
  if (TM_UNLIKELY(tm_is_profiling(t))) tm_profile_waits(t, &op, &profiled);
  real(thread, self);
  tm_tsan_acquire(self);
  if (TM_UNLIKELY(tm_is_profiling(t))) tm_profile_took(t, &profiled);
  tm_wait_end(t);
  if (op.inversion) tm_inversion_end(t, &op);
  atomic_fetch_sub(&tm_joiners, 1);
  TM_POINT(t, WAKE, NULL);
}

__attribute__((swiftcall)) bool tm_mutex_try_lock_slow(TM_SELF) {
  try_lock_function real =
      (try_lock_function)demanded(&tm_real.mutex_try_lock_slow, "Mutex._tryLockSlow");
  bool taken = real(self);
  if (taken) tm_tsan_acquire(self);
  return taken;
}

__attribute__((swiftcall)) void tm_mutex_unlock_slow(TM_SELF) {
  tm_tsan_release(self);
  ((unlock_function)demanded(&tm_real.mutex_unlock_slow, "Mutex._unlockSlow"))(self);
}

TM_GATE_CODE_END
#endif
