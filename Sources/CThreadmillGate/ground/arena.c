#ifdef __linux__
#include "ground/base.h"
#include "ground/arena.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Chunks are mapped when they are needed. Blocks have sizes that are powers of two, up to half a
 * chunk. Those that were given back lie in one list for each size, and are named by numbers, which
 * count units of the smallest size from 1 on, over all chunks. The head of a list has a count next
 * to the number: a head that comes back is not taken for the old one. */
enum { UNIT_BITS = 5, CHUNK_BITS = 24, CHUNKS = 128, ARENA_CLASSES = CHUNK_BITS - UNIT_BITS };
static const uint64_t CHUNK_SIZE = 1 << CHUNK_BITS;

/* Lies before the bytes that were taken. */
typedef struct header {
  uint32_t unit, class;
  uint64_t size;
} header;
enum { ALIGNMENT = sizeof(header) };

static char *_Atomic chunks[CHUNKS];
static _Atomic uint64_t arena_used = 1 << UNIT_BITS; /* bytes of all chunks */
static _Atomic uint64_t free_blocks[ARENA_CLASSES];

static char *address_of(uint32_t unit) {
  uint64_t at = (uint64_t)unit << UNIT_BITS;
  return atomic_load_explicit(&chunks[at / CHUNK_SIZE], memory_order_acquire) + at % CHUNK_SIZE;
}

static _Atomic uint32_t *next_block(uint32_t unit) {
  return (_Atomic uint32_t *)(void *)address_of(unit);
}

static uint64_t head_with(uint64_t old, uint32_t unit) {
  enum { COUNT_SHIFT = 32 };
  return ((old >> COUNT_SHIFT) + 1) << COUNT_SHIFT | unit;
}

static uint32_t pop_block(uint32_t class) {
  uint64_t head = atomic_load_explicit(&free_blocks[class], memory_order_acquire), next;
  do {
    if (!(uint32_t)head) return 0;
    next = head_with(head, atomic_load_explicit(next_block((uint32_t)head), memory_order_relaxed));
  } while (!atomic_compare_exchange_weak_explicit(&free_blocks[class], &head, next,
                                                  memory_order_acquire, memory_order_acquire));
  return (uint32_t)head;
}

static bool has_chunk(uint64_t number) {
  char *none = NULL, *mapped;
  if (number >= CHUNKS) return false;
  if (atomic_load_explicit(&chunks[number], memory_order_acquire)) return true;
  if (!(mapped = tm_map(CHUNK_SIZE))) return false;
  if (!atomic_compare_exchange_strong(&chunks[number], &none, mapped))
    tm_unmap(mapped, CHUNK_SIZE);
  return true;
}

/* A block that does not fit into the rest of a chunk begins the next one. */
static uint32_t cut_block(uint32_t class) {
  uint64_t size = 1ull << (class + UNIT_BITS), at, end;
  uint64_t used = atomic_load_explicit(&arena_used, memory_order_acquire);
  do {
    uint64_t left = CHUNK_SIZE - used % CHUNK_SIZE;
    at = left < size ? used + left : used;
    end = at + size;
    if (!has_chunk(at / CHUNK_SIZE)) return 0;
  } while (!atomic_compare_exchange_weak_explicit(&arena_used, &used, end, memory_order_acq_rel,
                                                  memory_order_acquire));
  return (uint32_t)(at >> UNIT_BITS);
}

void *tm_arena_take(size_t size, size_t alignment) {
  enum { LONG_BITS = 64 };
  size_t more = alignment > ALIGNMENT ? alignment : 0, whole = size + sizeof(header) + more;
  if (whole < size || whole > CHUNK_SIZE / 2) return tm_count_one(TM_MEMORY_REFUSED), NULL;
  uint32_t bits = LONG_BITS - (uint32_t)__builtin_clzl(whole - 1);
  uint32_t class = bits > UNIT_BITS ? bits - UNIT_BITS : 0;
  uint32_t unit = pop_block(class);
  if (!unit && !(unit = cut_block(class))) return tm_count_one(TM_MEMORY_REFUSED), NULL;
  uintptr_t at = (uintptr_t)address_of(unit) + sizeof(header);
  if (more) at = (at + alignment - 1) & -alignment;
  ((header *)at)[-1] = (header){unit, class, size};
  return (void *)at;
}

void tm_arena_give(void *taken) {
  const header *h = (const header *)taken - 1;
  uint32_t unit = h->unit, class = h->class;
  uint64_t head = atomic_load_explicit(&free_blocks[class], memory_order_relaxed);
  do atomic_store_explicit(next_block(unit), (uint32_t)head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&free_blocks[class], &head, head_with(head, unit),
                                                memory_order_release, memory_order_relaxed));
}

bool tm_arena_has(const void *address) {
  for (uint32_t i = 0; i < CHUNKS; i++) {
    const char *chunk = atomic_load_explicit(&chunks[i], memory_order_acquire);
    if (!chunk) return false;
    if ((uintptr_t)address - (uintptr_t)chunk < CHUNK_SIZE) return true;
  }
  return false;
}

size_t tm_arena_size(const void *taken) { return ((const header *)taken)[-1].size; }

TM_GATE_CODE_END
#endif
