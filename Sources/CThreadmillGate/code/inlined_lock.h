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

/* Reads the registers of the code that has called the function with this frame. The function does
 * it before anything else, as long as it has not changed them. */
TM_INLINE void tm_registers_read(tm_registers *r, uintptr_t *frame) {
#if defined(__x86_64__)
  __asm__ volatile("movq %%rbx, 24(%0)\n\tmovq %%r12, 96(%0)\n\tmovq %%r13, 104(%0)\n\t"
                   "movq %%r14, 112(%0)\n\tmovq %%r15, 120(%0)"
                   :
                   : "a"(r)
                   : "memory");
  r->values[4] = (uintptr_t)(frame + 2);
  r->values[5] = frame[0];
#else
  (void)r, (void)frame;
#endif
}

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
