#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/images.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/text.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* A range of code is found by the address of a call, and never removed. Threads and signal handlers
 * add ranges without a lock: each takes the next place in the tables, and writes the end of its
 * range last. Until then nothing lies in it. If two add the same one, it is there twice. */
typedef struct range {
  uintptr_t low;
  atomic_uintptr_t high;
  tm_caller caller;
  bool library, libc;
} range;
/* If a program loads more code than fits into one table, more tables are added. */
enum { RANGES = 256 };
typedef struct table {
  range ranges[RANGES];
  struct table *_Atomic next;
} table;
static table first;
static atomic_uint range_count;

/* Returns whether the library only translates the user's calls. Its stack frames are not the
 * user's. */
static bool is_overlay(const char *name) {
  return tm_text_begins(name, "libswiftDispatch") || tm_text_begins(name, "libstdc++.so") ||
         tm_text_begins(name, "libc++.so");
}

/* By file name first (what the toolchain ships), then by folder (what the system ships). */
static tm_caller classify(const char *path) {
  const char *name = tm_last_of_path(path);
  if (tm_text_begins(name, "libFoundation")) return TM_CALLER_FOUNDATION;
  if (is_overlay(name)) return TM_CALLER_USER;
  if (tm_text_begins(name, "libswift_Concurrency")) return TM_CALLER_RUNTIME;
  if (tm_text_begins(name, "libTesting")) return TM_CALLER_TESTING;
  static const char *const toolchain[] = {
      "libswift", "libdispatch", "libBlocksRuntime", "libXCTest", "lib_", "ld-linux", "linux-vdso",
  };
  for (size_t i = 0; i < sizeof toolchain / sizeof *toolchain; i++)
    if (tm_text_begins(name, toolchain[i])) return TM_CALLER_SYSTEM;
  bool library = tm_text_has(name, ".so");
  bool folder = tm_text_begins(path, "/lib/") || tm_text_begins(path, "/lib64/") ||
                tm_text_begins(path, "/usr/lib/");
  return library && folder ? TM_CALLER_SYSTEM : TM_CALLER_USER;
}

static table *table_behind(table *t) {
  table *next = atomic_load_explicit(&t->next, memory_order_acquire);
  if (next) return next;
  table *new = tm_map(sizeof(table));
  if (!new || atomic_compare_exchange_strong(&t->next, &next, new)) return new;
  tm_unmap(new, sizeof(table));
  return next;
}

static void add_range(uintptr_t low, uintptr_t high, tm_caller caller, bool library, bool libc) {
  unsigned number = atomic_fetch_add_explicit(&range_count, 1, memory_order_relaxed);
  table *t = &first;
  for (; t && number >= RANGES; number -= RANGES) t = table_behind(t);
  if (!t) return tm_count_one(TM_MEMORY_REFUSED);
  range *new = &t->ranges[number];
  new->low = low, new->caller = caller, new->library = library, new->libc = libc;
  atomic_store_explicit(&new->high, high, memory_order_release);
}

static const range *find_range(uintptr_t address) {
  unsigned left = atomic_load_explicit(&range_count, memory_order_relaxed);
  for (table *t = &first; t && left > 0;
       t = atomic_load_explicit(&t->next, memory_order_acquire)) {
    unsigned here = left < RANGES ? left : RANGES;
    for (const range *r = t->ranges; r < t->ranges + here; r++) {
      uintptr_t high = atomic_load_explicit(&r->high, memory_order_acquire);
      if (high && address - r->low < high - r->low) return r;
    }
    left -= here;
  }
  return NULL;
}

/* Adds the ranges of an image: the one that has the address, or, if that is NULL, all. */
static int add_ranges(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  tm_caller caller = classify(info->dlpi_name);
  const char *name = tm_last_of_path(info->dlpi_name);
  bool libc = tm_text_begins(name, "libc.so");
  bool library = caller != TM_CALLER_USER || is_overlay(name);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uintptr_t low = info->dlpi_addr + header->p_vaddr;
    if (address && (uintptr_t)address - low >= header->p_memsz) continue;
    add_range(low, low + header->p_memsz, caller, library, libc);
  }
  return 0;
}

void tm_callers_prepare(void) { dl_iterate_phdr(add_ranges, NULL); }

/* Code that is in no image is generated, and counts as the user's. */
static const range *range_of(uintptr_t address) {
  const range *known = find_range(address);
  if (known || !address) return known;
  tm_image_visit(address, add_ranges, (void *)address);
  return find_range(address);
}

tm_caller tm_caller_find(uintptr_t address) {
  const range *found = range_of(address);
  return found ? found->caller : TM_CALLER_USER;
}

bool tm_is_system_code(uintptr_t pc) {
  const range *found = range_of(pc);
  return tm_is_gate_code(pc) || (found && found->library);
}

bool tm_is_known_code(uintptr_t pc) { return range_of(pc) != NULL; }

bool tm_is_overlay_code(uintptr_t pc) {
  const range *found = range_of(pc);
  return found && found->library && found->caller == TM_CALLER_USER;
}

bool tm_is_libc_code(uintptr_t pc) {
  const range *found = range_of(pc);
  return found && found->libc;
}

bool tm_is_gate_code(uintptr_t pc) { return tm_in_gate(pc); }

TM_GATE_CODE_END
#endif
