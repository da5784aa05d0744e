/* Which calls of Foundation and of the Swift runtime are watched. */
#ifndef TM_WATCHED_H
#define TM_WATCHED_H
#include "ground/base.h"
#include "code/caller.h"
#include "ground/lock_classes.h"
#include "ground/thread.h"
#include "strand/operation.h"

/* Returns whether a call by Foundation or by the Swift concurrency runtime is to be watched: of
 * Foundation's calls, those of NSLock and the other lock classes; of the runtime's calls, those
 * that take the task status lock, which becomes the operation's kind here. */
bool tm_is_watched(tm_thread *, tm_operation *, tm_caller);
/* The part of Foundation that an address of code belongs to: the address, and the part in the
 * lowest eight bits. */
enum { TM_KNOWN_CODE_BITS = 11, TM_KNOWN_CODE = 1 << TM_KNOWN_CODE_BITS };
extern _Atomic uint64_t tm_known_code[TM_KNOWN_CODE];
TM_INLINE _Atomic uint64_t *tm_known_code_of(uintptr_t address) {
  return &tm_known_code[(address * 0x9E3779B97F4A7C15u) >> (64 - TM_KNOWN_CODE_BITS)];
}
/* Returns whether code of Foundation is known as that of a lock class. */
TM_INLINE bool tm_is_known_lock_class(uintptr_t address) {
  return atomic_load_explicit(tm_known_code_of(address), memory_order_relaxed) ==
         (address << 8 | TM_PART_LOCKS);
}

/* Around a call that is not watched. The runtime's other locks, and those of operations, guard the
 * hand-over of values and states: everything before one section happens before everything after the
 * next section. Whoever asks an operation for its state learns what came before, and passes nothing
 * on: the operation may begin later, and comes after no question. Foundation's other locks order
 * nothing. */
void tm_runtime_releases(tm_thread *, tm_operation *);
void tm_runtime_acquired(tm_thread *, const tm_operation *);
#endif
