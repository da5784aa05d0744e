/* Finds the word of a `Synchronization.Mutex` that code is about to lock.
 *
 * The lock is inlined: the code asks for the thread's number, and puts it into the word by an
 * exchange. The code between the two is read, and what it says of the word's address is noted for
 * the place of the call. Only x86-64 is read, and only instructions that a compiler puts there; if
 * there is another one, the word stays unknown. */
#ifndef TM_INLINED_LOCK_H
#define TM_INLINED_LOCK_H
#include "ground/base.h"

/* The registers that a call leaves as they are, by their number in instructions. */
enum { TM_REGISTERS = 16 };
typedef struct tm_registers {
  uintptr_t values[TM_REGISTERS];
} tm_registers;

typedef struct tm_inlined {
  /* The code is about to exchange 0 → number in this word. NULL: it does something else, is not
   * understood, or is a library's own. */
  uint32_t *word;
  /* The code puts the number into this variable of the thread; NULL: into none of the noted ones
   * (own_variables.h). */
  uint32_t *cache;
} tm_inlined;

/* Returns what the code after this return address does with the number. `registers` are those at
 * the return address. `is_lock`: the code certainly locks or unlocks a mutex; if false, it does if
 * `cache` is set. Such code that is not understood counts as a place that could not be read. */
tm_inlined tm_inlined_lock(uintptr_t returns_to, const tm_registers *registers, bool is_lock);
#endif
