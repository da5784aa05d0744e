/* Memory that neither malloc nor TSan knows of: size classes over mmap. Freed blocks are reused,
 * never returned; large maps (`tm_map`) are returned. */
#ifndef TM_POOL_H
#define TM_POOL_H
#include "ground/storage.h"

void tm_spin_wait(tm_spin *); /* `tm_spin_lock` and `tm_spin_unlock` are in lock.h */

void *tm_pool_take(size_t size);       /* zeroed; NULL when the system has no more memory */
void *tm_pool_take_as_is(size_t size); /* not zeroed */
void tm_pool_give(void *block, size_t size);
/* Visits every block of this size's class that was ever taken, also those given back and those of
 * other types. The visitor has to recognise its own blocks, by a mark that it sets and removes. For
 * sizes up to `TM_POOL_VISITABLE`; other threads may take and give blocks meanwhile. */
enum { TM_POOL_VISITABLE = 512 };
void tm_pool_each(size_t size, void (*visit)(void *block, void *context), void *context);
void *tm_map(size_t size);
/* Maps memory together with its pages: for memory that is soon used up, and for a table that is
 * read all over before it is written. A page that was only read is exchanged at its first write,
 * which interrupts every other core. */
void *tm_map_whole(size_t size);
void tm_unmap(void *, size_t size);
#endif
