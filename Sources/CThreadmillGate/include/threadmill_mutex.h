/* The word of a `Synchronization.Mutex`, and what the gate may write into it.
 *
 * The standard library of Linux keeps a word for the kernel's futexes that pass priorities on
 * (FUTEX_LOCK_PI): 0 is free, a thread's number is its owner, and the kernel adds a flag while
 * threads wait (AWAITED). Its code is inlined: an exchange 0 → number, and `_lockSlow` if that
 * fails; an exchange number → 0, and `_unlockSlow` if that fails. Both of the latter hand the word
 * to the kernel.
 *
 * The gate leaves MARKED in a free word: AWAITED without an owner. The kernel gives such a lock to
 * the next thread that asks, and leaves the thread's number alone. Into a word that it locks, the
 * gate writes KNOWN beside the number; the kernel calls this flag FUTEX_OWNER_DIED, and a number
 * with it is an ordinary owner. In both cases no inlined exchange succeeds, so that each lock and
 * unlock comes to `_lockSlow` and `_unlockSlow`. These are the gate's, but need not be: a library
 * that calls the real ones gets the lock from the kernel without a flag, as in a program that
 * nobody watches, and leaves 0.
 *
 * KNOWN would be a free word for the kernel, too. But it would stay beside the number that the
 * kernel writes, and bring other code's unlock to the kernel while no thread waits. If one comes to
 * wait at that moment, the kernel sees a word that it does not expect, and refuses (EINVAL).
 *
 * Rules, on which MutexWordTests runs every order of steps of all three kinds of code:
 *
 * 1. A word changes by an exchange of the whole word only. What the kernel does in between makes
 *    the exchange fail.
 * 2. A number with AWAITED is the kernel's: only the kernel gives such a lock on, because only it
 *    knows who waits. No thread asks the kernel to free a number with KNOWN that lacks AWAITED.
 * 3. The kernel never has a waiter for a word without an owner. So taking 0 or MARKED by an
 *    exchange passes no waiter by.
 * 4. Only the owner of a mutex marks its word: a thread that is about to lock a new mutex takes it
 *    and gives it back before. After the exchange that frees a word, the gate does not touch the
 *    word unless the thread is about to lock it: another thread may free its memory. */
#ifndef THREADMILL_MUTEX_H
#define THREADMILL_MUTEX_H
#include <stdbool.h>
#include <stdint.h>

enum { TM_WORD_OWNER = 0x3fffffff, TM_WORD_KNOWN = 0x40000000 };
static const uint32_t TM_WORD_AWAITED = 0x80000000u, TM_WORD_MARKED = 0x80000000u;

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
  if (word == 0 || word == TM_WORD_MARKED) {
    bool flags = knows || word == TM_WORD_MARKED;
    return (tm_word_step){TM_WORD_EXCHANGE, number | (flags ? TM_WORD_KNOWN : 0)};
  }
  return (tm_word_step){tm_word_owner(word) == number ? TM_WORD_REFUSE : TM_WORD_KERNEL, 0};
}

/* The step of a thread that gives the lock back. `knows`: the gate watches, and wants to see the
 * next lock. */
TM_WORD_RULE tm_word_step tm_word_unlock(uint32_t word, uint32_t number, bool knows) {
  if (word & TM_WORD_AWAITED) return (tm_word_step){TM_WORD_KERNEL, 0};
  if (tm_word_owner(word) != number) return (tm_word_step){TM_WORD_REFUSE, 0};
  return (tm_word_step){TM_WORD_EXCHANGE, knows ? TM_WORD_MARKED : 0};
}

/* The step after the kernel gave the lock to a thread. The kernel sets AWAITED if it passes a lock
 * from one thread to another, also if no third one waits; the unlock would then go to the kernel
 * and leave 0. If no other thread waits, as far as the gate knows, the thread gives the lock back
 * to the kernel and takes it once more. */
TM_WORD_RULE bool tm_word_is_to_be_washed(uint32_t word, uint32_t number, bool alone) {
  return alone && word == (number | TM_WORD_AWAITED);
}
#endif
