/* Locks and unlocks the word of a `Synchronization.Mutex` as the standard library does, and leaves
 * a flag in it, so that the next lock or unlock calls (threadmill_mutex.h). */
#ifndef TM_MUTEX_WORD_H
#define TM_MUTEX_WORD_H
#include "ground/base.h"
#include "threadmill_mutex.h"

TM_INLINE uint32_t tm_word_look(const void *word) {
  return __atomic_load_n((const uint32_t *)word, __ATOMIC_RELAXED);
}
/* Returns whether a thread has the mutex with this word. */
TM_INLINE bool tm_word_is_taken(const void *word) {
  return tm_word_owner(tm_word_look(word)) != 0;
}

/* `number`: the thread's, as it will stand in the word. `knows`: the gate watches the call. The
 * functions return 0, or EBUSY; what the standard library refuses, it refuses as ever: the program
 * ends. They are in the table of real functions, so that an exploration can replace them. */
int tm_word_take(uint32_t *word, uint32_t number, bool knows);
int tm_word_try(uint32_t *word, uint32_t number, bool knows);
int tm_word_give(uint32_t *word, uint32_t number, bool knows);

/* Takes a free word that the gate has marked; `tm_word_take` without the rest. Returns whether it
 * did. */
TM_INLINE bool tm_word_take_marked(uint32_t *word, uint32_t number) {
  uint32_t seen = TM_WORD_MARKED;
  return __atomic_compare_exchange_n(word, &seen, tm_word_lock(seen, number, true).next, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Takes the mutex if its word is 0. Returns whether it did. */
bool tm_word_take_unmarked(uint32_t *word, uint32_t number);

/* Asked by the thread that has taken a word that was 0. Returns whether another thread waits for
 * the mutex: then the kernel left the 0, and the mutex is not a new one. */
bool tm_word_is_awaited(const void *word);

/* Returns whether the standard library and the kernel keep to the protocol: tries it out. */
bool tm_word_is_understood(void);
#endif
