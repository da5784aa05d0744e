/* Memory for what Swift and Foundation allocate inside of the gate, in a program whose own
 * allocator takes locks that are watched; see allocator.c. Takes no lock. */
#ifndef TM_ARENA_H
#define TM_ARENA_H
#include "ground/base.h"

/* Returns NULL if the arena is full, or the size is more than some megabytes. */
void *tm_arena_take(size_t size, size_t alignment);
void tm_arena_give(void *taken);
/* Returns whether the address lies in the arena. */
bool tm_arena_has(const void *address);
/* Returns how many bytes may be used of what was taken. */
size_t tm_arena_size(const void *taken);
#endif
