/* Stacks that are recognised. To ask the unwinder costs microseconds and system calls, and most
 * calls have a stack that it was asked about before. */
#ifndef TM_TRAIL_H
#define TM_TRAIL_H
#include "ground/thread.h"

/* Names a stack by the first few addresses that frame pointers lead to: two stacks may share a
 * name, but more is not known without the unwinder. An asynchronous function may keep any values
 * above its record, so the name ends at the first address that is no code. */
uint64_t tm_trail_name(const uintptr_t *walked, uint32_t count, uint32_t limit);

/* If this stack is one of that name that was learnt before, copies its frames and returns their
 * number; else 0. */
uint32_t tm_trail_follow(const tm_thread *, void *frame, uint64_t name, uintptr_t *addresses);
/* Like that for a stack of at most `limit` frames; sets the words of the stack by which it was
 * recognised, and their number. */
uint32_t tm_trail_words(const tm_thread *, void *frame, uint64_t name, uint32_t limit,
                        const uintptr_t **words, uint32_t *count);
/* Learns a stack of `count` frames, of which the unwinder found `all`, and where in memory each
 * return address lies; 0 if that is not known. */
void tm_trail_learn(const tm_thread *, void *frame, uint64_t name, const uintptr_t *addresses,
                    const uintptr_t *places, uint32_t count, uint32_t all);
#endif
