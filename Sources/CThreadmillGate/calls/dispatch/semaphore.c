#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/dispatch.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "seam/point.h"
#include "seam/semaphore_wait.h"
#include "seam/users_call.h"
#include "threadmill_views.h"
#include <semaphore.h>
#include <time.h>

TM_GATE_CODE_BEGIN

TM_EXPORT dispatch_semaphore_t dispatch_semaphore_create(intptr_t value) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_semaphore_t made = TM_REAL(dispatch_semaphore_create)(value);
  if (t && made) tm_object_born(t, made, TM_SEMAPHORE, (int32_t)value, __builtin_frame_address(0));
  return made;
}

TM_EXPORT intptr_t dispatch_semaphore_wait(dispatch_semaphore_t s, dispatch_time_t until) {
  TM_PASSAGE(dispatch_semaphore_wait, (s, until), s,
             until == DISPATCH_TIME_FOREVER ? TM_FOR_EVER
             : until == 0                   ? TM_NOT_AT_ALL
                                            : TM_FOR_A_TIME);
}

TM_EXPORT intptr_t dispatch_semaphore_signal(dispatch_semaphore_t s) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, s);
  if (t) tm_semaphore_signalled(t, __builtin_frame_address(0), s);
  intptr_t result = TM_REAL(dispatch_semaphore_signal)(s);
  if (t) TM_POINT(t, AFTER, NULL);
  return result;
}

TM_GATE_CODE_END
#endif
