/* The data of the gate's own lock and of its memory pool; see lock.h and pool.h. */
#ifndef TM_STORAGE_H
#define TM_STORAGE_H

/* The gate's own lock, which the gate and TSan do not see: it spins, then yields to the kernel. */
typedef struct tm_spin {
  atomic_uint taken;
} tm_spin;

/* Blocks that a thread gave back and may take again without asking the shared pool. A thread that
 * ends leaves its magazines to the next thread that gets its record. */
enum {
  TM_MAGAZINE = 16,
  TM_MAGAZINES = 5
}; /* blocks in one; classes that have one, 32 B … 512 B */
typedef struct tm_magazine {
  uint32_t count;
  void *blocks[TM_MAGAZINE];
} tm_magazine;
#endif
