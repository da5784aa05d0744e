#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "seam/point.h"
#include "seam/seam.h"
#include "seam/semaphore_wait.h"
#include "seam/users_call.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <semaphore.h>
#include <time.h>

TM_GATE_CODE_BEGIN

TM_EXPORT int sem_init(sem_t *s, int shared, unsigned value) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  int result = TM_REAL(sem_init)(s, shared, value);
  if (t && result == 0)
    tm_object_born(t, s, TM_SEMAPHORE, (int32_t)value, __builtin_frame_address(0));
  return result;
}

TM_EXPORT int sem_destroy(sem_t *s) {
  TM_INTERPOSED(sem_destroy, (s), TM_DESTROY, s, TM_SEMAPHORE, TM_EXCLUSIVE);
}

TM_EXPORT int sem_wait(sem_t *s) { TM_PASSAGE(sem_wait, (s), s, TM_FOR_EVER); }

TM_EXPORT int sem_trywait(sem_t *s) { TM_PASSAGE(sem_trywait, (s), s, TM_NOT_AT_ALL); }

TM_EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until) {
  TM_PASSAGE(sem_timedwait, (s, until), s, TM_FOR_A_TIME);
}

TM_EXPORT int sem_clockwait(sem_t *restrict s, clockid_t clock,
                            const struct timespec *restrict until) {
  TM_PASSAGE(sem_clockwait, (s, clock, until), s, TM_FOR_A_TIME);
}

TM_EXPORT int sem_post(sem_t *s) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, s);
  if (t) tm_semaphore_signalled(t, __builtin_frame_address(0), s);
  int result = TM_REAL(sem_post)(s);
  if (t) TM_POINT(t, AFTER, NULL);
  return result;
}

TM_GATE_CODE_END
#endif
