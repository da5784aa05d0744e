#ifdef __linux__
#include "base.h"
#include "threadmill_steer.h"
#include <link.h>
#include <string.h>

TM_GATE_CODE_BEGIN

/* Places in code that mean the same in another process of the program: image and offset. The path
 * is what the dynamic linker loaded it by; the program itself has none. */

typedef struct search {
  uintptr_t pc;     /* 0: looked for by its path */
  const char *path; /* wanted, or found */
  uintptr_t start;
  bool found;
} search;

static bool covers(const struct dl_phdr_info *info, uintptr_t pc) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && pc - info->dlpi_addr - header->p_vaddr < header->p_memsz)
      return true;
  }
  return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *s = context;
  bool right = s->pc ? covers(info, s->pc) : strcmp(info->dlpi_name, s->path) == 0;
  if (!right) return 0;
  *s = (search){s->pc, info->dlpi_name, info->dlpi_addr, true};
  return 1;
}

bool tm_image_of(uintptr_t pc, const char **path, uintptr_t *start) {
  search s = {.pc = pc};
  if (pc) dl_iterate_phdr(visit, &s);
  *path = s.path;
  *start = s.start;
  return s.found;
}

/* The program comes first, and has no name. A program that is not moved starts at 0. */
bool tm_image_start(const char *path, uintptr_t *start) {
  search s = {.path = path};
  dl_iterate_phdr(visit, &s);
  *start = s.start;
  return s.found;
}

TM_GATE_CODE_END
#endif
