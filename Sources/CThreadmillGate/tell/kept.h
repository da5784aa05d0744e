/* The nestings that are kept in place of being told: a bounded ring, in which the oldest gives its
 * place to the newest, unless a lock of one of the newest has ended meanwhile. The caller has a
 * lock of its own for all of it, except where that is said. */
#ifndef TM_KEPT_H
#define TM_KEPT_H
#include "ground/thread.h"
#include "strand/clock.h"

enum { TM_KEPT_LOCKS = 5, TM_KEPT_HABITS = 2048 };

typedef struct tm_kept_lock {
  const void *address;
  uint64_t id; /* 48 bits, as the address */
} tm_kept_lock;

/* One nesting, with the moment of its strand: its locks that can end, the wanted one last. */
typedef struct tm_kept {
  uint32_t habit, count;
  tm_kept_lock locks[TM_KEPT_LOCKS];
  tm_clock *clock;
  uint64_t strand;
  uint32_t thread, slot, time, scope;
  uint8_t quality;
} tm_kept;

/* Keeps a nesting that the thread makes now, in this Swift task (NULL: in none). Returns false if
 * memory is out. */
bool tm_keep(tm_thread *, const void *task, uint32_t habit, const tm_kept_lock *locks,
             uint32_t count);
/* `tm_keep` for a nesting of two locks that differs in nothing but its locks from the nesting that
 * has to give way to it. Returns false without an effect if it does not, or if more has to be done.
 */
bool tm_keep_alike(tm_thread *, uint32_t habit, const tm_kept_lock locks[2]);
/* Returns how many nestings of the habit are in the ring. */
uint32_t tm_kept_of(uint32_t habit);
/* Takes the oldest wanted nesting out of the ring, from place `*from` on. Returns false if there is
 * none. The caller drops the nesting's clock. */
bool tm_kept_take(uint32_t *from, bool (*is_wanted)(uint32_t habit), tm_kept *);
/* Returns whether all these locks are still there. Needs no lock. */
bool tm_kept_is_there(const tm_kept_lock *locks, uint32_t count);
#endif
