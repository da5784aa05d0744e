/* Stacks that are recognised: to ask the unwinder costs microseconds and system calls, and most
 * calls come by a way that it was asked about before. */
#ifndef TM_TRAIL_H
#define TM_TRAIL_H
#include "ground/thread.h"

/* Names the way by what frame pointers say of it: not enough to tell two ways apart, but all that
 * is known without the unwinder. An asynchronous function may keep anything above its record. */
uint64_t tm_trail_name(const uintptr_t *walked, uint32_t count, uint32_t limit);

/* The frames of a stack of that name that was learnt before, if this one is the same; else 0. */
uint32_t tm_trail_follow(const tm_thread *, void *frame, uint64_t name, uintptr_t *addresses);
/* The unwinder found `all` of these, of which `count` are the stack. */
void tm_trail_learn(const tm_thread *, void *frame, uint64_t name, const uintptr_t *addresses,
                    uint32_t count, uint32_t all);
#endif
