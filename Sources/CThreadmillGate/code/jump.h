/* A jump at the entry of a function of the program's, to one of the gate's. */
#ifndef TM_JUMP_H
#define TM_JUMP_H
#include "ground/base.h"

/* The number of bytes of the function that are overwritten. */
enum { TM_JUMP_SIZE = 5 };

/* Called before the program has a second thread, because the jump is longer than one store. Returns
 * false if it cannot be written. */
bool tm_jump_write(void *entry, void (*to)(void));
/* Returns whether this machine has such jumps. */
bool tm_can_jump(void);
/* Returns whether the function is nothing but such a jump, to this address. */
bool tm_jumps_to(const void *entry, const void *to);
#endif
