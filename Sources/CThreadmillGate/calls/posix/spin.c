#ifdef __linux__
#include "ground/base.h"
#include "seam/plain.h"
#include "seam/seam.h"
#include "strand/operation.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

TM_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  TM_INTERPOSED(pthread_spin_init, (l, shared), TM_CREATE, (const void *)l, TM_SPIN, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l) {
  TM_INTERPOSED(pthread_spin_destroy, (l), TM_DESTROY, (const void *)l, TM_SPIN, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_spin_lock(pthread_spinlock_t *l) {
  TM_INTERPOSED(pthread_spin_lock, (l), TM_ACQUIRE, (const void *)l, TM_SPIN, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l) {
  TM_INTERPOSED(pthread_spin_trylock, (l), TM_TRY, (const void *)l, TM_SPIN, TM_EXCLUSIVE);
}
TM_RELEASING(pthread_spin_unlock, pthread_spinlock_t, TM_SPIN)

TM_GATE_CODE_END
#endif
