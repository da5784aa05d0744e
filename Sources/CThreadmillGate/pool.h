/* Memory that neither malloc nor TSan knows of: size classes over mmap. Freed blocks are reused,
 * never returned; large maps (`tm_map`) are returned. */
#ifndef TM_POOL_H
#define TM_POOL_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lock that is not a lock to anybody else: spins, then yields to the kernel. */
typedef struct tm_spin {
  atomic_uint taken;
} tm_spin;
bool tm_spin_lock_within(tm_spin *, unsigned milliseconds);
void tm_spin_wait(tm_spin *); /* `tm_spin_lock` and `tm_spin_unlock` are in state.h */

/* What a thread gave back and may take again, without asking the others. A thread that ends leaves
 * it to the next that gets its record. */
enum {
  TM_MAGAZINE = 16,
  TM_MAGAZINES = 5
}; /* blocks in one; classes that have one, 32 B … 512 B */
typedef struct tm_magazine {
  uint32_t count;
  void *blocks[TM_MAGAZINE];
} tm_magazine;

void *tm_pool_take(size_t size);       /* zeroed; NULL when the system has no more memory */
void *tm_pool_take_as_is(size_t size); /* the same, not zeroed */
void tm_pool_give(void *block, size_t size);
/* Every block of this size's class that was ever taken, those given back and those of other types
 * included: the visitor has to know its own by a mark that it put there and took away again. For
 * sizes up to `TM_POOL_VISITABLE`; nobody is kept from taking and giving meanwhile. */
enum { TM_POOL_VISITABLE = 512 };
void tm_pool_each(size_t size, void (*visit)(void *block, void *context), void *context);
void *tm_map(size_t size);
/* The same with its pages: for what is used up soon, and for a table that is read all over before
 * it is written, because a page that was only read is exchanged at its first write, which
 * interrupts every other core. */
void *tm_map_whole(size_t size);
void tm_unmap(void *, size_t size);
#endif
