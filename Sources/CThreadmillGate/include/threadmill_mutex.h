/* The word of a `Synchronization.Mutex`, and what the gate may write into it.
 *
 * The standard library of Linux keeps a word for the kernel's futexes that pass priorities on
 * (FUTEX_LOCK_PI): 0 is free, a thread's number is its owner, and the kernel adds a flag while
 * threads wait (AWAITED). Its code is inlined: an exchange 0 → number, and `_lockSlow` if that
 * fails; an exchange number → 0, and `_unlockSlow` if that fails. Both of the latter hand the word
 * to the kernel.
 *
 * The gate adds the flag KNOWN, which the kernel calls FUTEX_OWNER_DIED. For the kernel, a word
 * with this flag alone is free, and it gives the lock to the next thread that asks; a number with
 * this flag is an ordinary owner. With the flag set, no inlined exchange succeeds, so that each
 * lock and unlock comes to `_lockSlow` and `_unlockSlow`. These are the gate's, but need not be: a
 * library that calls the real ones gets the lock from the kernel, and gives it back to the kernel,
 * which leaves 0.
 *
 * Rules, on which MutexWordTests runs every order of steps of all three kinds of code:
 *
 * 1. A word changes by an exchange of the whole word only. What the kernel does in between makes
 *    the exchange fail.
 * 2. A word with AWAITED is the kernel's: only the kernel gives such a lock on, because only it
 *    knows who waits.
 * 3. A free word never has AWAITED, and the kernel never has a waiter for a free word. So taking
 *    0 or KNOWN by an exchange passes no waiter by.
 * 4. KNOWN is set on a free word only right before the mutex is locked; else only its owner changes
 *    it. After the exchange that frees a word, the gate does not touch the word: another thread may
 *    free its memory. */
#ifndef THREADMILL_MUTEX_H
#define THREADMILL_MUTEX_H
#include <stdbool.h>
#include <stdint.h>

enum { TM_WORD_OWNER = 0x3fffffff, TM_WORD_KNOWN = 0x40000000 };
static const uint32_t TM_WORD_AWAITED = 0x80000000u;

typedef enum tm_word_way {
  TM_WORD_EXCHANGE, /* put `next` in the place of the word that was seen */
  TM_WORD_KERNEL,   /* ask the kernel */
  TM_WORD_REFUSE,   /* the caller owns the lock that it wants, or not the one that it gives */
} tm_word_way;

typedef struct tm_word_step {
  tm_word_way way;
  uint32_t next;
} tm_word_step;

#define TM_WORD_RULE static inline __attribute__((always_inline))

TM_WORD_RULE uint32_t tm_word_owner(uint32_t word) { return word & (uint32_t)TM_WORD_OWNER; }

/* The step of a thread that wants the lock. `knows`: the gate watches the call. */
TM_WORD_RULE tm_word_step tm_word_lock(uint32_t word, uint32_t number, bool knows) {
  if (word == 0 || word == (uint32_t)TM_WORD_KNOWN)
    return (tm_word_step){TM_WORD_EXCHANGE, word | number | (knows ? TM_WORD_KNOWN : 0)};
  return (tm_word_step){tm_word_owner(word) == number ? TM_WORD_REFUSE : TM_WORD_KERNEL, 0};
}

/* The step of a thread that gives the lock back. `knows`: the gate watches, and wants to see the
 * next lock. */
TM_WORD_RULE tm_word_step tm_word_unlock(uint32_t word, uint32_t number, bool knows) {
  if (word & TM_WORD_AWAITED) return (tm_word_step){TM_WORD_KERNEL, 0};
  if (tm_word_owner(word) != number) return (tm_word_step){TM_WORD_REFUSE, 0};
  return (tm_word_step){TM_WORD_EXCHANGE, knows ? TM_WORD_KNOWN : 0};
}

/* The step after the kernel gave the lock to a thread. The kernel sets AWAITED if it passes a lock
 * from one thread to another, also if no third one waits; the unlock would then go to the kernel
 * and leave 0. If no other thread waits, as far as the gate knows, the thread gives the lock back
 * to the kernel and takes it once more. */
TM_WORD_RULE bool tm_word_is_to_be_washed(uint32_t word, uint32_t number, bool alone) {
  return alone && word == (number | TM_WORD_AWAITED);
}
#endif
