/* A sequence lock: one thread changes data, and other threads look at it without stopping that
 * thread. The number is odd while a change goes on. A look is whole if the number was even when the
 * look began, and is the same at its end.
 *
 * The fences are those of Boehm, "Can seqlocks get along with programming language memory models?"
 * (MSPC 2012). One thing differs: a signal handler may interrupt a change and make changes of its
 * own inside it. If a handler comes between the load and the store of `tm_sequence_begin`, the next
 * even number is that of the handler's last change; a look would have to begin in that moment, and
 * last beyond the next change, to miss it.
 *
 * The data itself is written by `TM_SHARE` and looked at by `TM_GLIMPSE`: relaxed atomic accesses,
 * which on x86 are plain instructions, as the fences are none. The writing thread may read it
 * plainly. Data that a change has taken out of use may be written without another change: the fence
 * of the first one is before the write. SequenceTests runs through every order that a weakly
 * ordered machine allows. */
#ifndef THREADMILL_SEQUENCE_H
#define THREADMILL_SEQUENCE_H
#include <stdatomic.h>
#include <stdbool.h>

#define TM_SHARE(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)
#define TM_GLIMPSE(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)

/* A test replaces the three steps by functions that record them. */
#ifndef TM_SEQUENCE_STEPS
#define TM_SEQUENCE_STEPS
#define TM_SEQUENCE_LOAD(number, order) atomic_load_explicit(number, order)
#define TM_SEQUENCE_STORE(number, value, order) atomic_store_explicit(number, value, order)
#define TM_SEQUENCE_FENCE(order) atomic_thread_fence(order)
#endif

#define TM_SEQUENCE_CODE static inline __attribute__((always_inline))

/* Begins a change. Returns the number for `tm_sequence_end`. Only the writing thread calls the two.
 * Inside another change, the number stays odd. */
TM_SEQUENCE_CODE unsigned tm_sequence_begin(atomic_uint *number) {
  unsigned before = TM_SEQUENCE_LOAD(number, memory_order_relaxed);
  TM_SEQUENCE_STORE(number, (before + 1) | 1, memory_order_relaxed);
  TM_SEQUENCE_FENCE(memory_order_release); /* whoever sees the change sees the odd number */
  return before + 2;
}

TM_SEQUENCE_CODE void tm_sequence_end(atomic_uint *number, unsigned after) {
  TM_SEQUENCE_STORE(number, after, memory_order_release); /* the change before the number */
}

/* Begins a look of another thread. */
TM_SEQUENCE_CODE unsigned tm_sequence_look(atomic_uint *number) {
  return TM_SEQUENCE_LOAD(number, memory_order_acquire);
}

/* Returns whether all that was read since the look began is of one moment. */
TM_SEQUENCE_CODE bool tm_sequence_is_whole(atomic_uint *number, unsigned since) {
  TM_SEQUENCE_FENCE(memory_order_acquire); /* the data before the number */
  return !(since & 1) && TM_SEQUENCE_LOAD(number, memory_order_relaxed) == since;
}
#endif
