#ifdef __linux__
#include "ground/base.h"
#include "calls/posix/creation.h"
#include "code/jump.h"
#include "ground/asan.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/real.h"
#include "ground/tsan.h"
#include <dlfcn.h>

TM_GATE_CODE_BEGIN

/* If Address or Leak Sanitizer is a part of the program, its `pthread_create` comes first, and it
 * holds a lock while it calls the gate's. The new thread takes that lock when it begins, so a point
 * in between would stop both threads. Therefore the gate takes the sanitizer's place, and calls it;
 * then the sanitizer calls the gate again. */
static __typeof__(&pthread_create) interceptor, next_one;
static _Thread_local bool is_within __attribute__((tls_model("initial-exec")));

static int create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                  void *(*body)(void *), void *restrict argument) {
  bool before = is_within;
  is_within = true;
  int result = interceptor(thread, attributes, body, argument);
  is_within = before;
  return result;
}

__typeof__(&pthread_create) tm_creation_within(void) { return is_within ? next_one : NULL; }

/* If the sanitizer is a library, the gate was loaded before it and comes first anyway. */
void tm_creation_prepare(void) {
  if (tm_is_tsan() || !tm_is_lsan()) return;
  void *first = dlsym(RTLD_DEFAULT, "pthread_create");
  void *theirs = dlsym(RTLD_DEFAULT, "___interceptor_pthread_create");
  if (first == (void *)tm_pthread_create || !theirs) return;
  bool is_in_place = tm_jumps_to(first, theirs) && tm_task_is_alone() &&
                     tm_jump_write(first, (void (*)(void))tm_pthread_create);
  tm_creation_is_locked = !is_in_place;
  if (!is_in_place) return;
  interceptor = (__typeof__(interceptor))theirs;
  next_one = (__typeof__(next_one))tm_real.pthread_create;
  tm_real.pthread_create = tm_real_creation = (void *)create;
}

TM_GATE_CODE_END
#endif
