#ifdef __linux__
#include "ground/base.h"
#include "seam/plain.h"
#include "seam/seam.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <time.h>

TM_GATE_CODE_BEGIN

TM_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  TM_INTERPOSED(pthread_mutex_init, (m, a), TM_CREATE, m, TM_MUTEX, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m) {
  TM_INTERPOSED(pthread_mutex_destroy, (m), TM_DESTROY, m, TM_MUTEX, TM_EXCLUSIVE);
}
TM_ACQUIRING(pthread_mutex_lock, pthread_mutex_t, TM_MUTEX, TM_EXCLUSIVE)
TM_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m) {
  TM_INTERPOSED(pthread_mutex_trylock, (m), TM_TRY, m, TM_MUTEX, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict m,
                                      const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_mutex_timedlock, (m, until), TM_ACQUIRE_TIMED, m, TM_MUTEX, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock,
                                      const struct timespec *restrict until) {
  TM_INTERPOSED(pthread_mutex_clocklock, (m, clock, until), TM_ACQUIRE_TIMED, m, TM_MUTEX,
                TM_EXCLUSIVE);
}
TM_RELEASING(pthread_mutex_unlock, pthread_mutex_t, TM_MUTEX)

TM_GATE_CODE_END
#endif
