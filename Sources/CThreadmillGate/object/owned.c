#ifdef __linux__
#include "ground/base.h"
#include "object/owned.h"
#include "ground/tag.h"
#include "ground/kernel.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/part.h"
#include "threadmill_mutex.h"
#include "threadmill_sequence.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

bool tm_still_owns(const tm_thread *t, const tm_hold *h) {
  const void *object = TM_GLIMPSE(h->object);
  switch (TM_GLIMPSE(h->kind)) {
  case TM_MUTEX:
  case TM_TASK_STATUS_LOCK: {
    const pthread_mutex_t *m = object;
    return m->__data.__lock != 0 && m->__data.__owner == t->ground.tid;
  }
  case TM_RWLOCK: return ((const pthread_rwlock_t *)object)->__data.__readers != 0;
  case TM_SWIFT_MUTEX: {
    uint32_t word = 0;
    return tm_peek(object, &word, sizeof word) && tm_word_owner(word) == (uint32_t)t->ground.tid;
  }
  case TM_SEMAPHORE: return !tm_object_is_marked(object, TM_OBJECT_NO_LOCK);
  default: return true;
  }
}

bool tm_names_owner(const void *lock, tm_kind kind) {
  switch ((int)kind) {
  case TM_MUTEX:
    return !(((const pthread_mutex_t *)lock)->__data.__kind &
             (TM_MUTEX_ROBUST | TM_MUTEX_SHARED | TM_MUTEX_ELISION));
  case TM_RWLOCK: return !((const pthread_rwlock_t *)lock)->__data.__shared;
  default: return false;
  }
}

int tm_sole_owner_of(const void *lock, tm_kind kind) {
  const pthread_mutex_t *m = lock;
  if (!tm_names_owner(lock, kind)) return 0;
  if (kind == TM_RWLOCK) return ((const pthread_rwlock_t *)lock)->__data.__cur_writer;
  return m->__data.__lock == 0 ? 0 : m->__data.__owner;
}

TM_GATE_CODE_END
#endif
