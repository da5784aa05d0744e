/* The program's own allocator, if it has one. */
#ifndef TM_ALLOCATOR_H
#define TM_ALLOCATOR_H

/* Keeps the gate and its up-calls away from an allocator of the program's own. Called once, before
 * anything is watched. */
void tm_allocator_prepare(void);
#endif
