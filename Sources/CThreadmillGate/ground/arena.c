#ifdef __linux__
#include "ground/base.h"
#include "ground/arena.h"
#include "ground/pool.h"

TM_GATE_CODE_BEGIN

/* Blocks have sizes that are powers of two. Those that were given back lie in one list for each
 * size, and are named by numbers, which count units of the smallest size from 1 on. The head of a
 * list has a count beside the number: a head that comes back is not taken for the old one. */
enum { ARENA_CLASSES = 31, UNIT = 5, MOST = 36, LEAST = 28, STEP = 4 }; /* the last ones: bits */

/* Lies before the bytes that were taken. */
typedef struct header {
  uint32_t unit, class;
  uint64_t size;
} header;
enum { ALIGNMENT = sizeof(header) };

static char *arena;
static uint64_t arena_size;
static _Atomic uint64_t arena_used = 1 << UNIT;
static _Atomic uint64_t free_blocks[ARENA_CLASSES];

bool tm_arena_prepare(void) {
  for (unsigned bits = MOST; !arena && bits >= LEAST; bits -= STEP) {
    arena_size = 1ull << bits;
    arena = tm_map(arena_size);
  }
  return arena;
}

static _Atomic uint32_t *link_of(uint32_t unit) {
  return (_Atomic uint32_t *)(arena + ((uint64_t)unit << UNIT));
}

static uint64_t head_with(uint64_t old, uint32_t unit) {
  enum { COUNT_SHIFT = 32 };
  return ((old >> COUNT_SHIFT) + 1) << COUNT_SHIFT | unit;
}

static uint32_t pop_block(uint32_t class) {
  uint64_t head = atomic_load_explicit(&free_blocks[class], memory_order_acquire), next;
  do {
    if (!(uint32_t)head) return 0;
    next = head_with(head, atomic_load_explicit(link_of((uint32_t)head), memory_order_relaxed));
  } while (!atomic_compare_exchange_weak_explicit(&free_blocks[class], &head, next,
                                                  memory_order_acquire, memory_order_acquire));
  return (uint32_t)head;
}

static uint32_t cut_block(uint32_t class) {
  uint64_t size = 1ull << (class + UNIT);
  uint64_t at = atomic_fetch_add_explicit(&arena_used, size, memory_order_relaxed);
  return at + size <= arena_size ? (uint32_t)(at >> UNIT) : 0;
}

void *tm_arena_take(size_t size, size_t alignment) {
  enum { LONG_BITS = 64 };
  size_t more = alignment > ALIGNMENT ? alignment : 0, whole = size + sizeof(header) + more;
  if (whole < size || whole > arena_size) return NULL;
  uint32_t bits = LONG_BITS - (uint32_t)__builtin_clzl(whole - 1);
  uint32_t class = bits > UNIT ? bits - UNIT : 0;
  if (class >= ARENA_CLASSES) return NULL;
  uint32_t unit = pop_block(class);
  if (!unit && !(unit = cut_block(class))) return NULL;
  uintptr_t at = (uintptr_t)arena + ((uint64_t)unit << UNIT) + sizeof(header);
  if (more) at = (at + alignment - 1) & -alignment;
  ((header *)at)[-1] = (header){unit, class, size};
  return (void *)at;
}

void tm_arena_give(void *taken) {
  const header *h = (const header *)taken - 1;
  uint32_t unit = h->unit, class = h->class;
  uint64_t head = atomic_load_explicit(&free_blocks[class], memory_order_relaxed);
  do atomic_store_explicit(link_of(unit), (uint32_t)head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&free_blocks[class], &head, head_with(head, unit),
                                                memory_order_release, memory_order_relaxed));
}

bool tm_arena_has(const void *address) {
  return (uintptr_t)address - (uintptr_t)arena < arena_size && arena;
}

size_t tm_arena_size(const void *taken) { return ((const header *)taken)[-1].size; }

TM_GATE_CODE_END
#endif
