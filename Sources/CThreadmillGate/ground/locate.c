#ifdef __linux__
#include "ground/base.h"
#include "ground/images.h"
#include "threadmill_gate.h"
#include <elf.h>

TM_GATE_CODE_BEGIN

/* Finds the exported symbol at an address, as `dladdr` does. */

typedef struct wanted_symbol {
  uintptr_t address;
  tm_location *found;
} wanted_symbol;

/* The symbols of an image that others may use, by number, from `begin` to `end`. */
typedef struct symbols {
  const ElfW(Sym) *first;
  const char *names;
  size_t names_size;
  uint32_t begin, end;
} symbols;

/* The symbol that begins last, of those that fit so far. */
typedef struct best {
  const char *name;
  uintptr_t start;
} best;

static uintptr_t start_of(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD) {
      uintptr_t unit = info->dlpi_phdr[i].p_align ? info->dlpi_phdr[i].p_align : 1;
      return info->dlpi_addr + (info->dlpi_phdr[i].p_vaddr & -unit);
    }
  return info->dlpi_addr;
}

/* Returns the number behind the last symbol that the table of hashes has. */
static uint32_t end_of_hashes(const uint32_t *table) {
  uint32_t buckets = table[0], first = table[1], words = table[2], last = 0;
  const uint32_t *bucket = (const uint32_t *)((const uint64_t *)(table + 4) + words);
  const uint32_t *chain = bucket + buckets;
  for (uint32_t i = 0; i < buckets; i++)
    if (bucket[i] > last) last = bucket[i];
  if (last < first) return first;
  while (!(chain[last - first] & 1)) last++;
  return last + 1;
}

static symbols symbols_of(const struct dl_phdr_info *info) {
  symbols s = {NULL, NULL, 0, 0, 0};
  const uint32_t *hashes = NULL, *old = NULL;
  const ElfW(Dyn) *d = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; d && d->d_tag != DT_NULL; d++) {
    uintptr_t at = tm_image_place(info, d->d_un.d_ptr);
    if (d->d_tag == DT_SYMTAB) s.first = (const void *)at;
    if (d->d_tag == DT_STRTAB) s.names = (const void *)at;
    if (d->d_tag == DT_STRSZ) s.names_size = d->d_un.d_val;
    if (d->d_tag == DT_GNU_HASH) hashes = (const void *)at;
    if (d->d_tag == DT_HASH) old = (const void *)at;
  }
  if (hashes) s.begin = hashes[1], s.end = end_of_hashes(hashes);
  else if (old) s.end = old[1];
  if (!s.first || !s.names) s.end = 0;
  return s;
}

static bool fits(const ElfW(Sym) * symbol, const symbols *s, uintptr_t offset) {
  uintptr_t within = offset - symbol->st_value;
  bool is_local = symbol->st_info >> 4 == STB_LOCAL;
  bool is_threads = (symbol->st_info & 0xf) == STT_TLS;
  if (is_local || is_threads || symbol->st_shndx == SHN_ABS || !symbol->st_value ||
      symbol->st_name >= s->names_size)
    return false;
  return within == 0 || (symbol->st_shndx != SHN_UNDEF && within < symbol->st_size);
}

static int visit_located(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const wanted_symbol *to = context;
  symbols s = symbols_of(info);
  best b = {NULL, 0};
  for (uint32_t i = s.begin; i < s.end; i++) {
    const ElfW(Sym) *symbol = &s.first[i];
    uintptr_t start = info->dlpi_addr + symbol->st_value;
    if (!fits(symbol, &s, to->address - info->dlpi_addr) || (b.name && start <= b.start)) continue;
    b = (best){s.names + symbol->st_name, start};
  }
  *to->found = (tm_location){b.name, info->dlpi_name, b.name ? b.start : start_of(info)};
  return 1;
}

bool tm_locate(uintptr_t pc, tm_location *location) {
  wanted_symbol w = {pc, location};
  return tm_image_visit(pc, visit_located, &w) != 0;
}

TM_GATE_CODE_END
#endif
