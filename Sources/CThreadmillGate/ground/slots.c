#ifdef __linux__
#include "ground/base.h"
#include "ground/slots.h"
#include "ground/images.h"
#include "ground/text.h"
#include "threadmill_gate.h"
#include <elf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* CALLED: called by way of the table for calls. FOUND: an address that code reads. KEPT: an address
 * in the data. */
#if defined(__x86_64__)
enum { CALLED = R_X86_64_JUMP_SLOT, FOUND = R_X86_64_GLOB_DAT, KEPT = R_X86_64_64 };
#elif defined(__aarch64__)
enum { CALLED = R_AARCH64_JUMP_SLOT, FOUND = R_AARCH64_GLOB_DAT, KEPT = R_AARCH64_ABS64 };
#endif

typedef struct tables {
  const struct dl_phdr_info *info;
  const ElfW(Sym) *symbols;
  const char *names;
  uintptr_t read_only, read_only_end; /* pages that were writable while the image was loaded */
} tables;

static uintptr_t value_of(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag) return dynamic->d_un.d_ptr;
  return 0;
}

static bool write_slot(const tables *t, void **slot, void *function) {
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)slot & -size;
  bool protect = page >= t->read_only && page < t->read_only_end;
  if (protect && syscall(SYS_mprotect, page, size, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, function, __ATOMIC_RELEASE);
  if (protect) syscall(SYS_mprotect, page, size, PROT_READ);
  return true;
}

/* A place for calls may not have been looked up yet: it then leads to its own image. */
static bool is_expected(const tables *t, uint32_t type, void *const *slot, const void *before) {
  const void *now = __atomic_load_n(slot, __ATOMIC_RELAXED);
  return !before || now == before || (type == CALLED && tm_image_has(t->info, (uintptr_t)now));
}

static const char *text_at(const tables *t, const ElfW(Rela) * slot) {
  return t->names + t->symbols[ELF64_R_SYM(slot->r_info)].st_name;
}

static uint32_t change_slot(const tables *t, const ElfW(Rela) * slot, const void *changes) {
  uint32_t changed = 0, type = ELF64_R_TYPE(slot->r_info);
  if (type != CALLED && type != FOUND && !(type == KEPT && slot->r_addend == 0)) return 0;
  void **place = (void **)(t->info->dlpi_addr + slot->r_offset);
  for (const tm_slot_change *c = changes; c->name; c++)
    if (tm_text_is(text_at(t, slot), c->name) && is_expected(t, type, place, c->before))
      changed += write_slot(t, place, c->function);
  return changed;
}

static uint32_t is_slot_of(const tables *t, const ElfW(Rela) * slot, const void *name) {
  return tm_text_is(text_at(t, slot), name);
}

/* Returns the sum of what `visit` returns for each place. */
static uint32_t sum_slots(const struct dl_phdr_info *info,
                          uint32_t (*visit)(const tables *, const ElfW(Rela) *, const void *),
                          const void *context) {
  tables t = {.info = info};
  const ElfW(Dyn) *dynamic = NULL;
  uintptr_t unit = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t low = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_DYNAMIC) dynamic = (const void *)low;
    if (header->p_type == PT_GNU_RELRO)
      t.read_only = low & -unit, t.read_only_end = (low + header->p_memsz) & -unit;
  }
  t.symbols = (const void *)tm_image_place(info, value_of(dynamic, DT_SYMTAB));
  t.names = (const void *)tm_image_place(info, value_of(dynamic, DT_STRTAB));
  const struct {
    ElfW(Sxword) places, size;
  } lists[] = {{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}};
  uint32_t sum = 0;
  for (int l = 0; dynamic && l < 2; l++) {
    uintptr_t at = value_of(dynamic, lists[l].places);
    const ElfW(Rela) *slots = at ? (const void *)tm_image_place(info, at) : NULL;
    size_t slot_count = value_of(dynamic, lists[l].size) / sizeof *slots;
    for (size_t i = 0; slots && i < slot_count; i++) sum += visit(&t, &slots[i], context);
  }
  return sum;
}

uint32_t tm_slots_change(const struct dl_phdr_info *info, const tm_slot_change *changes) {
  return sum_slots(info, change_slot, changes);
}

bool tm_slots_have(const struct dl_phdr_info *info, const char *name) {
  return sum_slots(info, is_slot_of, name) > 0;
}

static int change_in(struct dl_phdr_info *info, size_t size, void *changes) {
  (void)size;
  tm_slots_change(info, changes);
  return 1;
}

void tm_function_replace(uintptr_t in_image, const char *name, void *function) {
  tm_slot_change changes[] = {{name, NULL, function}, {NULL, NULL, NULL}};
  tm_image_visit(in_image, change_in, changes);
}

TM_GATE_CODE_END
#endif
