#ifdef __linux__
#include "ground/base.h"
#include "seam/plain.h"
#include "seam/seam.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <time.h>

TM_GATE_CODE_BEGIN

/* Programs may make and end mutexes by the million: short ways for both, as for lock and unlock. */
TM_OTHER_WAY static int init(pthread_mutex_t *m, const pthread_mutexattr_t *a, void *frame) {
  TM_INTERPOSED_AT(frame, ((void **)frame)[1], pthread_mutex_init, (m, a), TM_CREATE, m, TM_MUTEX,
                   TM_EXCLUSIVE);
}
TM_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  void *frame = __builtin_frame_address(0);
  tm_thread *t = tm_plain_thread(((void **)frame)[1], TM_PLAIN_LOCK_CLASS);
  if (TM_UNLIKELY(!t)) return init(m, a, frame);
  int result = TM_REAL(pthread_mutex_init)(m, a);
  if (TM_LIKELY(result == 0)) tm_mutex_born(t, m, frame);
  return result;
}
TM_OTHER_WAY static int destroy(pthread_mutex_t *m, void *frame) {
  TM_INTERPOSED_AT(frame, ((void **)frame)[1], pthread_mutex_destroy, (m), TM_DESTROY, m, TM_MUTEX,
                   TM_EXCLUSIVE);
}
TM_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m) {
  void *frame = __builtin_frame_address(0);
  tm_thread *t = tm_plain_thread(((void **)frame)[1], TM_PLAIN_USER);
  if (TM_UNLIKELY(!t || tm_looks_taken(m, TM_MUTEX))) return destroy(m, frame);
  tm_note_destroyed(t, m, frame);
  tm_mutex_died(t, m);
  return TM_REAL(pthread_mutex_destroy)(m);
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
