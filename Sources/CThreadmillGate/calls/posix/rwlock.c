#ifdef __linux__
#include "ground/base.h"
#include "seam/plain.h"
#include "seam/seam.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <time.h>

TM_GATE_CODE_BEGIN

TM_EXPORT int pthread_rwlock_init(pthread_rwlock_t *restrict l,
                                  const pthread_rwlockattr_t *restrict a) {
  TM_INTERPOSED(pthread_rwlock_init, (l, a), TM_CREATE, l, TM_RWLOCK, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  TM_INTERPOSED(pthread_rwlock_destroy, (l), TM_DESTROY, l, TM_RWLOCK, TM_EXCLUSIVE);
}
TM_ACQUIRING(pthread_rwlock_rdlock, pthread_rwlock_t, TM_RWLOCK, TM_SHARED)
TM_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  TM_INTERPOSED(pthread_rwlock_tryrdlock, (l), TM_TRY, l, TM_RWLOCK, TM_SHARED);
}
TM_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l,
                                         const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_rwlock_timedrdlock, (l, until), TM_ACQUIRE_TIMED, l, TM_RWLOCK, TM_SHARED);
}
TM_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock,
                                         const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_rwlock_clockrdlock, (l, clock, until), TM_ACQUIRE_TIMED, l, TM_RWLOCK,
                TM_SHARED);
}
TM_ACQUIRING(pthread_rwlock_wrlock, pthread_rwlock_t, TM_RWLOCK, TM_EXCLUSIVE)
TM_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  TM_INTERPOSED(pthread_rwlock_trywrlock, (l), TM_TRY, l, TM_RWLOCK, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l,
                                         const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_rwlock_timedwrlock, (l, until), TM_ACQUIRE_TIMED, l, TM_RWLOCK,
                TM_EXCLUSIVE);
}
TM_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock,
                                         const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_rwlock_clockwrlock, (l, clock, until), TM_ACQUIRE_TIMED, l, TM_RWLOCK,
                TM_EXCLUSIVE);
}
TM_RELEASING(pthread_rwlock_unlock, pthread_rwlock_t, TM_RWLOCK)

TM_GATE_CODE_END
#endif
