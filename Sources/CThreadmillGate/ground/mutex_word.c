#ifdef __linux__
#include "ground/base.h"
#include "ground/mutex_word.h"
#include "ground/real.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

_Static_assert((unsigned)TM_WORD_OWNER == FUTEX_TID_MASK, "the kernel's bits");
_Static_assert((unsigned)TM_WORD_KNOWN == FUTEX_OWNER_DIED, "the kernel's bits");
_Static_assert(FUTEX_WAITERS == 0x80000000u, "the kernel's bits");

/* Threads that wait in the kernel or have waited there and do not have the lock yet, by the hash of
 * the word's address. Another word with the same hash makes a lock look awaited. */
enum { COUNTS = 1024 };
static _Atomic uint32_t waiting[COUNTS];
static _Atomic uint32_t *waiting_for(const void *word) {
  return &waiting[tm_mix(0, (uintptr_t)word) % COUNTS];
}

TM_INLINE bool exchange(uint32_t *word, uint32_t seen, uint32_t next, int order) {
  return __atomic_compare_exchange_n(word, &seen, next, false, order, __ATOMIC_RELAXED);
}

/* The standard library's functions, which refuse a wrong use by ending the program. */
#define SELF __attribute__((swift_context)) void *
typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t, SELF);
typedef __attribute__((swiftcall)) bool (*try_function)(SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(SELF);

static void *demanded(void **field, const char *name) {
  return TM_LIKELY(*field != NULL) ? *field : tm_real_demand(field, name);
}
static void real_lock(uint32_t *word, uint32_t number) {
  ((lock_function)demanded(&tm_real.mutex_lock_slow, "Mutex._lockSlow"))(number, word);
}
static bool real_try(uint32_t *word) {
  return ((try_function)demanded(&tm_real.mutex_try_lock_slow, "Mutex._tryLockSlow"))(word);
}
static void real_unlock(uint32_t *word) {
  ((unlock_function)demanded(&tm_real.mutex_unlock_slow, "Mutex._unlockSlow"))(word);
}

/* Waits in the kernel until the thread has the lock. */
static void lock_in_kernel(uint32_t *word, uint32_t number) {
  int saved = errno;
  while (syscall(SYS_futex, word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0)
    if (errno != EINTR && errno != EAGAIN) {
      real_lock(word, number);
      break;
    }
  errno = saved;
}

/* Marks the lock that the kernel gave to the thread. Returns whether the thread still has it. */
static bool is_kept(uint32_t *word, uint32_t number) {
  enum { THIS_ONE = 1 };
  bool alone = atomic_load_explicit(waiting_for(word), memory_order_relaxed) == THIS_ONE;
  if (!tm_word_is_to_be_washed(tm_word_look(word), number, alone)) {
    exchange(word, number, number | TM_WORD_KNOWN, __ATOMIC_RELAXED);
    return true;
  }
  real_unlock(word);
  return exchange(word, 0, tm_word_lock(0, number, true).next, __ATOMIC_ACQUIRE);
}

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Takes the lock if it is free; else returns the reason. */
TM_INLINE tm_word_way take_free(uint32_t *word, uint32_t number, bool knows) {
  uint32_t seen = tm_word_look(word);
  tm_word_step step = tm_word_lock(seen, number, knows);
  if (step.way != TM_WORD_EXCHANGE) return step.way;
  return exchange(word, seen, step.next, __ATOMIC_ACQUIRE) ? TM_WORD_EXCHANGE : TM_WORD_KERNEL;
}

/* Spins as long as the standard library does: a lock is often held for a moment only. */
static tm_word_way spin(uint32_t *word, uint32_t number, bool knows) {
  enum { TRIES = 1000 };
  tm_word_way way = TM_WORD_KERNEL;
  for (int i = 0; i < TRIES && way == TM_WORD_KERNEL; i++) {
    way = take_free(word, number, knows);
    if (way == TM_WORD_KERNEL) pause_briefly();
  }
  return way;
}

TM_SLOW static void take_slowly(uint32_t *word, uint32_t number, bool knows) {
  tm_word_way way = spin(word, number, knows);
  if (way == TM_WORD_EXCHANGE) return;
  if (way == TM_WORD_REFUSE) return real_lock(word, number);
  atomic_fetch_add(waiting_for(word), 1);
  do lock_in_kernel(word, number);
  while (knows && !is_kept(word, number) && spin(word, number, knows) != TM_WORD_EXCHANGE);
  atomic_fetch_sub(waiting_for(word), 1);
}

int tm_word_take(uint32_t *word, uint32_t number, bool knows) {
  if (TM_UNLIKELY(take_free(word, number, knows) != TM_WORD_EXCHANGE))
    take_slowly(word, number, knows);
  return 0;
}

int tm_word_try(uint32_t *word, uint32_t number, bool knows) {
  uint32_t seen;
  do {
    seen = tm_word_look(word);
    tm_word_step step = tm_word_lock(seen, number, knows);
    if (step.way == TM_WORD_KERNEL) return EBUSY;
    if (step.way == TM_WORD_REFUSE) return real_try(word) ? 0 : EBUSY;
    if (exchange(word, seen, step.next, __ATOMIC_ACQUIRE)) return 0;
  } while (true);
}

int tm_word_give(uint32_t *word, uint32_t number, bool knows) {
  uint32_t seen = tm_word_look(word);
  tm_word_step step = tm_word_unlock(seen, number, knows);
  if (TM_LIKELY(step.way == TM_WORD_EXCHANGE && exchange(word, seen, step.next, __ATOMIC_RELEASE)))
    return 0;
  return real_unlock(word), 0;
}

bool tm_word_take_unmarked(uint32_t *word, uint32_t number) {
  return exchange(word, 0, tm_word_lock(0, number, true).next, __ATOMIC_ACQUIRE);
}

bool tm_word_is_awaited(const void *word) {
  return atomic_load_explicit(waiting_for(word), memory_order_relaxed) != 0;
}

bool tm_word_is_understood(void) {
  if (!tm_real.mutex_lock_slow || !tm_real.mutex_try_lock_slow || !tm_real.mutex_unlock_slow)
    return false;
  static uint32_t word;
  uint32_t number = (uint32_t)syscall(SYS_gettid);
  int saved = errno;
  word = TM_WORD_MARKED;
  bool understood = real_try(&word) && word == number;
  if (understood) word = TM_WORD_MARKED, real_lock(&word, number), understood = word == number;
  if (understood) word |= TM_WORD_KNOWN | TM_WORD_AWAITED, real_unlock(&word);
  understood = understood && word == 0;
  errno = saved;
  return understood;
}

TM_GATE_CODE_END
#endif
