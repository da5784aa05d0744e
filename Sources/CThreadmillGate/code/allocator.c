#ifdef __linux__
#include "ground/base.h"
#include "code/allocator.h"
#include "code/caller.h"
#include "ground/arena.h"
#include "ground/asan.h"
#include "ground/facts.h"
#include "ground/images.h"
#include "ground/kernel.h"
#include "ground/slots.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <dlfcn.h>
#include <errno.h>

TM_GATE_CODE_BEGIN

/* A program may have an allocator of its own, whose locks are watched like all others. A nesting of
 * two of them goes up into Swift, which allocates: the thread would wait for a lock that it has, or
 * for another thread that waits for a lock of ours. So whatever is allocated inside of the gate by
 * libraries of the system and the toolchain comes from an arena of the gate's. They call the
 * functions below, which call the program's outside of the gate.
 *
 * What the program allocated and what is freed inside of the gate is freed later. */

/* The program's functions; those that it does not have are the C and C++ libraries'. */
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  size_t (*malloc_usable_size)(void *);
  void *(*new)(size_t);
  void *(*new_array)(size_t);
  void *(*new_aligned)(size_t, size_t);
  void (*delete)(void *);
  void (*delete_sized)(void *, size_t);
  void (*delete_array)(void *);
  void (*delete_aligned)(void *, size_t);
} program;

/* Whether `malloc_usable_size` belongs to the allocator. */
static bool knows_sizes;

static bool is_inside(void) { return tm_self && tm_self->ground.inside; }

/* Returns NULL outside of the gate. */
static void *take(size_t size, size_t alignment) {
  return is_inside() ? tm_arena_take(size, alignment) : NULL;
}

/* The program's blocks that were freed inside of the gate; each begins with the next one. */
static void *_Atomic left;

static void leave(void *block) {
  void *next = atomic_load_explicit(&left, memory_order_relaxed);
  do *(void **)block = next;
  while (!atomic_compare_exchange_weak_explicit(&left, &next, block, memory_order_release,
                                                memory_order_relaxed));
}

static void free_left(void) {
  if (TM_LIKELY(!atomic_load_explicit(&left, memory_order_relaxed))) return;
  void *block = atomic_exchange_explicit(&left, NULL, memory_order_acquire);
  while (block) {
    void *next = *(void **)block;
    program.free(block);
    block = next;
  }
}

/* Returns whether nothing is left to be done. */
static bool give(void *block) {
  if (!block) return true;
  if (tm_arena_has(block)) return tm_arena_give(block), true;
  if (is_inside()) return leave(block), true;
  return free_left(), false;
}

static void *own_malloc(size_t size) {
  void *taken = take(size, 0);
  return taken ? taken : program.malloc(size);
}

static void *own_calloc(size_t count, size_t size) {
  size_t whole;
  void *taken = __builtin_mul_overflow(count, size, &whole) ? NULL : take(whole, 0);
  if (!taken) return program.calloc(count, size);
  tm_clear(taken, whole);
  return taken;
}

static void own_free(void *block) {
  if (!give(block)) program.free(block);
}

static size_t own_usable_size(void *block) {
  return block && tm_arena_has(block) ? tm_arena_size(block) : program.malloc_usable_size(block);
}

static void *own_realloc(void *block, size_t size) {
  if (!block) return own_malloc(size);
  bool is_arenas = tm_arena_has(block);
  if (!is_arenas && !(is_inside() && knows_sizes)) return program.realloc(block, size);
  void *taken = own_malloc(size);
  size_t known = own_usable_size(block);
  if (!taken) return NULL;
  tm_copy(taken, block, known < size ? known : size);
  own_free(block);
  return taken;
}

static int own_posix_memalign(void **block, size_t alignment, size_t size) {
  void *taken = take(size, alignment);
  if (!taken) return program.posix_memalign(block, alignment, size);
  *block = taken;
  return 0;
}

static void *own_aligned_alloc(size_t alignment, size_t size) {
  void *taken = take(size, alignment);
  return taken ? taken : program.aligned_alloc(alignment, size);
}

static void *own_new(size_t size) {
  void *taken = take(size, 0);
  return taken ? taken : program.new(size);
}

static void *own_new_array(size_t size) {
  void *taken = take(size, 0);
  return taken ? taken : program.new_array(size);
}

static void *own_new_aligned(size_t size, size_t alignment) {
  void *taken = take(size, alignment);
  return taken ? taken : program.new_aligned(size, alignment);
}

static void own_delete(void *block) {
  if (!give(block)) program.delete(block);
}

static void own_delete_sized(void *block, size_t size) {
  if (!give(block)) program.delete_sized(block, size);
}

static void own_delete_array(void *block) {
  if (!give(block)) program.delete_array(block);
}

static void own_delete_aligned(void *block, size_t alignment) {
  if (!give(block)) program.delete_aligned(block, alignment);
}

static const struct {
  const char *name;
  void **theirs;
  void *ours;
} functions[] = {
    {"malloc", (void **)&program.malloc, (void *)own_malloc},
    {"calloc", (void **)&program.calloc, (void *)own_calloc},
    {"realloc", (void **)&program.realloc, (void *)own_realloc},
    {"free", (void **)&program.free, (void *)own_free},
    {"posix_memalign", (void **)&program.posix_memalign, (void *)own_posix_memalign},
    {"aligned_alloc", (void **)&program.aligned_alloc, (void *)own_aligned_alloc},
    {"malloc_usable_size", (void **)&program.malloc_usable_size, (void *)own_usable_size},
    {"_Znwm", (void **)&program.new, (void *)own_new},
    {"_Znam", (void **)&program.new_array, (void *)own_new_array},
    {"_ZnwmSt11align_val_t", (void **)&program.new_aligned, (void *)own_new_aligned},
    {"_ZdlPv", (void **)&program.delete, (void *)own_delete},
    {"_ZdlPvm", (void **)&program.delete_sized, (void *)own_delete_sized},
    {"_ZdaPv", (void **)&program.delete_array, (void *)own_delete_array},
    {"_ZdlPvSt11align_val_t", (void **)&program.delete_aligned, (void *)own_delete_aligned},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_gates(const struct dl_phdr_info *info) {
  return tm_image_has(info, (uintptr_t)tm_allocator_prepare);
}

/* The program's images go on calling their allocator. So does the dynamic linker, which keeps what
 * it allocates. */
static int change_in(struct dl_phdr_info *info, size_t size, void *changes) {
  (void)size;
  bool is_linker = tm_text_begins(tm_last_of_path(info->dlpi_name), "ld-linux");
  bool changes_image = is_gates(info) || !tm_is_users_image(info);
  if (!is_linker && changes_image) tm_slots_change(info, changes, FUNCTIONS);
  return 0;
}

static int is_gates_image(struct dl_phdr_info *info, size_t size, void *unused) {
  return (void)size, (void)unused, is_gates(info);
}

/* A sanitizer's allocator has no locks that are watched. If the gate is linked with the program's
 * allocator, its code calls that directly, so that nothing can come between. */
static bool is_programs(const void *function) {
  return function && !tm_is_tsan() && !tm_is_asan() && !tm_is_lsan() &&
         tm_caller_find((uintptr_t)function) == TM_CALLER_USER &&
         !tm_image_visit((uintptr_t)function, is_gates_image, NULL);
}

void tm_allocator_prepare(void) {
  tm_slot_change changes[FUNCTIONS];
  if (!is_programs(dlsym(RTLD_DEFAULT, "malloc")) || !tm_arena_prepare()) return;
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    *functions[i].theirs = dlsym(RTLD_DEFAULT, functions[i].name);
    changes[i] = (tm_slot_change){functions[i].name, functions[i].ours};
  }
  knows_sizes = tm_caller_find((uintptr_t)program.malloc_usable_size) == TM_CALLER_USER;
  dl_iterate_phdr(change_in, changes);
}

TM_GATE_CODE_END
#endif
