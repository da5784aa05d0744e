#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/text.h"
#include "threadmill_gate.h"
#include <link.h>

TM_GATE_CODE_BEGIN

typedef struct range {
  uintptr_t low, high;
  tm_caller caller;
  bool library, libc;
} range;
/* If a program loads more code than fits into one table, more tables are added. A reader needs no
 * lock: a range is counted only when it is complete, and is never removed. */
enum { RANGES = 256 };
typedef struct table {
  range ranges[RANGES];
  struct table *next;
} table;
static table first;
atomic_uint tm_range_count;

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

/* The range of a number, with its table; called for one number after the other, from 0 on. */
static range *range_at(unsigned number, table **t) {
  if (number % RANGES == 0) *t = number ? (*t)->next : &first;
  return &(*t)->ranges[number % RANGES];
}

static bool has_room(unsigned count, table *last) {
  if (count == 0 || count % RANGES != 0 || last->next) return true;
  last->next = tm_map(sizeof(table));
  return last->next != NULL;
}

static void add_range(uintptr_t low, uintptr_t high, tm_caller caller, bool library, bool libc) {
  unsigned count = atomic_load_explicit(&tm_range_count, memory_order_relaxed);
  table *t = NULL;
  for (unsigned i = 0; i < count; i++) {
    const range *known = range_at(i, &t);
    if (known->low == low && known->high == high) return;
  }
  if (!has_room(count, t)) return tm_count_one(TM_MEMORY_REFUSED);
  *range_at(count, &t) = (range){low, high, caller, library, libc};
  atomic_store_explicit(&tm_range_count, count + 1, memory_order_release);
}

static int visit_ranges(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  tm_caller caller = classify(info->dlpi_name);
  const char *name = tm_last_of_path(info->dlpi_name);
  bool libc = tm_text_begins(name, "libc.so");
  bool library = caller != TM_CALLER_USER || is_overlay(name);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uintptr_t low = info->dlpi_addr + header->p_vaddr;
    add_range(low, low + header->p_memsz, caller, library, libc);
  }
  return 0;
}

static const range *find_range(uintptr_t address) {
  unsigned count = atomic_load_explicit(&tm_range_count, memory_order_acquire);
  table *t = NULL;
  for (unsigned i = 0; i < count; i++) {
    const range *known = range_at(i, &t);
    if (address - known->low < known->high - known->low) return known;
  }
  return NULL;
}

/* The dynamic linker's lock is the lock of the tables too. With one of their own, two threads could
 * wait for each other: this one, and one that calls the gate while it visits the images itself. A
 * signal handler may come in between and add a range: one of the two is then lost, and found again
 * when it is asked for. */
void tm_callers_prepare(void) { dl_iterate_phdr(visit_ranges, NULL); }

/* If the address is in no known image, looks for libraries that were loaded since. An address that
 * is still unknown then is in generated code, and counts as the user's. */
tm_caller tm_caller_find(uintptr_t address) {
  const range *found = find_range(address);
  if (!found) {
    tm_callers_prepare();
    found = find_range(address);
  }
  return found ? found->caller : TM_CALLER_USER;
}

bool tm_is_system_code(uintptr_t pc) {
  const range *found = find_range(pc);
  return tm_is_gate_code(pc) || (found && found->library);
}

bool tm_is_known_code(uintptr_t pc) { return find_range(pc) != NULL; }

bool tm_is_overlay_code(uintptr_t pc) {
  const range *found = find_range(pc);
  return found && found->library && found->caller == TM_CALLER_USER;
}

bool tm_is_libc_code(uintptr_t pc) {
  const range *found = find_range(pc);
  return found && found->libc;
}

bool tm_is_gate_code(uintptr_t pc) { return tm_in_gate(pc); }

TM_GATE_CODE_END
#endif
