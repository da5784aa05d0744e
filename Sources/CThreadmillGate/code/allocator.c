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
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <dlfcn.h>

TM_GATE_CODE_BEGIN

/* A program may have an allocator of its own, whose locks are watched like all others. A nesting of
 * two of them goes up into Swift, which allocates: the thread would wait for a lock that it has, or
 * for another thread that waits for a lock of ours. So whatever is allocated inside of the gate by
 * libraries of the system and the toolchain comes from an arena of the gate's. They call the
 * functions below, which call the program's outside of the gate.
 *
 * Blocks of the program's that are freed inside of the gate are freed later. */

/* The program's functions; those that it does not have are the C and C++ libraries'. */
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  size_t (*malloc_usable_size)(void *);
} program;

/* Whether `malloc_usable_size` belongs to the allocator. */
static bool knows_sizes;

static bool is_inside(void) {
  return tm_self && tm_self->ground.inside && !tm_self->ground.runs_program;
}

/* Returns NULL outside of the gate. */
static void *take(size_t size, size_t alignment) {
  return is_inside() ? tm_arena_take(size, alignment) : NULL;
}

/* The program's blocks that were freed inside of the gate, and the functions that free them. */
typedef struct left {
  struct left *next;
  void *block;
  void (*free)(void *);
} left;
static left *_Atomic all_left;

/* A block for which there is no room is never freed. */
static void leave(void *block, void (*free)(void *)) {
  left *l = tm_arena_take(sizeof *l, 0);
  if (!l) return;
  *l = (left){atomic_load_explicit(&all_left, memory_order_relaxed), block, free};
  while (!atomic_compare_exchange_weak_explicit(&all_left, &l->next, l, memory_order_release,
                                                memory_order_relaxed)) continue;
}

static void free_left(void) {
  if (TM_LIKELY(!atomic_load_explicit(&all_left, memory_order_relaxed))) return;
  left *l = atomic_exchange_explicit(&all_left, NULL, memory_order_acquire);
  while (l) {
    left done = *l;
    tm_arena_give(l);
    done.free(done.block);
    l = done.next;
  }
}

/* Frees a block of the arena now, and one of the program later. Returns false if the caller has to
 * call the program's function. */
static bool give(void *block, void (*free)(void *)) {
  if (!block) return true;
  if (tm_arena_has(block)) return tm_arena_give(block), true;
  if (is_inside()) return leave(block, free), true;
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
  if (!give(block, program.free)) program.free(block);
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

static void *own_memalign(size_t alignment, size_t size) {
  void *taken = take(size, alignment);
  return taken ? taken : program.memalign(alignment, size);
}

/* The operators of C++, each also for arrays (`new` with "a"), as the compilers call them. */
#define EACH_NEW(X)                                                                             \
  X(wm, (size_t size), 0, (size))                                                               \
  X(am, (size_t size), 0, (size))                                                               \
  X(wmRKSt9nothrow_t, (size_t size, const void *tag), 0, (size, tag))                           \
  X(amRKSt9nothrow_t, (size_t size, const void *tag), 0, (size, tag))                           \
  X(wmSt11align_val_t, (size_t size, size_t to), to, (size, to))                                \
  X(amSt11align_val_t, (size_t size, size_t to), to, (size, to))                                \
  X(wmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t to, const void *tag), to,             \
    (size, to, tag))                                                                            \
  X(amSt11align_val_tRKSt9nothrow_t, (size_t size, size_t to, const void *tag), to,             \
    (size, to, tag))
#define EACH_DELETE(X)                                                                          \
  X(lPv, (void *block), (block), program_dlPv)                                                  \
  X(aPv, (void *block), (block), program_daPv)                                                  \
  X(lPvm, (void *block, size_t size), (block, size), program_dlPv)                              \
  X(aPvm, (void *block, size_t size), (block, size), program_daPv)                              \
  X(lPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag), program_dlPv)              \
  X(aPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag), program_daPv)              \
  X(lPvSt11align_val_t, (void *block, size_t to), (block, to), lose)                            \
  X(aPvSt11align_val_t, (void *block, size_t to), (block, to), lose)                            \
  X(lPvmSt11align_val_t, (void *block, size_t size, size_t to), (block, size, to), lose)        \
  X(aPvmSt11align_val_t, (void *block, size_t size, size_t to), (block, size, to), lose)        \
  X(lPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t to, const void *tag),                \
    (block, to, tag), lose)                                                                     \
  X(aPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t to, const void *tag),                \
    (block, to, tag), lose)

#define NEW(name, parameters, alignment, arguments)          \
  static void *(*program_n##name) parameters;                \
  static void *own_n##name parameters {                      \
    void *taken = take(size, alignment);                     \
    return taken ? taken : program_n##name arguments;        \
  }
EACH_NEW(NEW)

/* Blocks with an alignment of their own are not freed later: that would take the alignment. */
static void lose(void *block) { (void)block; }
#define DELETE(name, parameters, arguments, later)      \
  static void (*program_d##name) parameters;            \
  static void own_d##name parameters {                  \
    if (!give(block, later)) program_d##name arguments; \
  }
EACH_DELETE(DELETE)

/* clang-format off */
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
    {"memalign", (void **)&program.memalign, (void *)own_memalign},
    {"malloc_usable_size", (void **)&program.malloc_usable_size, (void *)own_usable_size},
#define NEW_ROW(name, parameters, alignment, arguments) \
    {"_Zn" #name, (void **)&program_n##name, (void *)own_n##name},
#define DELETE_ROW(name, parameters, arguments, later) \
    {"_Zd" #name, (void **)&program_d##name, (void *)own_d##name},
    EACH_NEW(NEW_ROW)
    EACH_DELETE(DELETE_ROW)
};
/* clang-format on */
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_gates(const struct dl_phdr_info *info) {
  return tm_image_has(info, (uintptr_t)tm_allocator_prepare);
}

/* The libraries of C++ are in no folder of the program's, although they count as its code. */
static bool is_systems(const struct dl_phdr_info *info) {
  uintptr_t code = tm_image_code(info);
  return code && tm_is_system_code(code);
}

/* The program's images go on calling their allocator. The dynamic linker has no places to change:
 * it still calls the program's allocator, and so do images that are loaded later. */
static int change_in(struct dl_phdr_info *info, size_t size, void *changes) {
  (void)size;
  if (is_gates(info) || is_systems(info)) tm_slots_change(info, changes);
  return 0;
}

static int is_gates_image(struct dl_phdr_info *info, size_t size, void *unused) {
  return (void)size, (void)unused, is_gates(info);
}

/* To a program that is always loaded at the same address, a function of a library may be a place in
 * its own code that leads there. */
static bool is_defined(uintptr_t function) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  return dladdr1((void *)function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
         symbol->st_shndx != SHN_UNDEF;
}

/* A sanitizer's allocator has no locks that are watched. If the gate and the allocator are in one
 * image, the linker may have bound the calls directly: there is no place to change. */
static bool is_programs(uintptr_t function) {
  return function && !tm_is_tsan() && !tm_is_asan() && !tm_is_lsan() && is_defined(function) &&
         !tm_is_libc_code(function) && tm_caller_find(function) == TM_CALLER_USER &&
         !tm_image_visit(function, is_gates_image, NULL);
}

void tm_allocator_prepare(void) {
  tm_slot_change changes[FUNCTIONS + 1] = {{NULL, NULL, NULL}};
  if (!is_programs((uintptr_t)dlsym(RTLD_DEFAULT, "malloc"))) return;
  for (uint32_t i = 0, count = 0; i < FUNCTIONS; i++) {
    void *theirs = dlsym(RTLD_DEFAULT, functions[i].name);
    *functions[i].theirs = theirs;
    if (theirs) changes[count++] = (tm_slot_change){functions[i].name, theirs, functions[i].ours};
  }
  knows_sizes = is_programs((uintptr_t)program.malloc_usable_size);
  dl_iterate_phdr(change_in, changes);
}

TM_GATE_CODE_END
#endif
