#ifdef __linux__
#include "ground/base.h"
#include "ground/images.h"
#include "ground/storage.h"
#include "threadmill_gate.h"
#include <dlfcn.h>
#include <elf.h>

TM_GATE_CODE_BEGIN

/* `dl_iterate_phdr` and `dladdr` take a lock of the dynamic linker's each. The gate is called with
 * locks of the program held, and a visitor of the images or the constructor of a library may wait
 * for one of those: both would wait for ever. From 2.35 on, glibc finds an image without a lock. */

typedef struct wanted {
  uintptr_t address;
  tm_image_visitor visitor;
  void *context;
} wanted;

static int visit_wanted(struct dl_phdr_info *info, size_t size, void *context) {
  const wanted *w = context;
  return tm_image_has(info, w->address) ? w->visitor(info, size, w->context) : 0;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak));

/* Returns the program headers that follow the header of the file at `start`; NULL if no such header
 * is in memory there. */
static const ElfW(Phdr) * headers_at(const char *start) {
  const ElfW(Ehdr) *header = (const void *)start;
  if (!tm_same(header->e_ident, ELFMAG, SELFMAG) || header->e_phentsize != sizeof(ElfW(Phdr)))
    return NULL;
  const ElfW(Phdr) *parts = (const void *)(start + header->e_phoff);
  uintptr_t end = header->e_phoff + header->e_phnum * sizeof *parts;
  for (int i = 0; i < header->e_phnum; i++)
    if (parts[i].p_type == PT_LOAD && parts[i].p_offset == 0)
      return parts[i].p_filesz >= end ? parts : NULL;
  return NULL;
}

/* If an image has gaps, glibc knows each part by itself, and only the first one begins with the
 * header. In nearly all images that one lies where the image was moved to. */
static bool describe(const struct dl_find_object *image, struct dl_phdr_info *info) {
  const struct link_map *map = image->dlfo_link_map;
  const char *start = image->dlfo_map_start;
  const ElfW(Phdr) *headers = headers_at(start);
  if (!headers && map->l_addr) headers = headers_at(start = (const char *)map->l_addr);
  if (!headers) return false;
  *info = (struct dl_phdr_info){
      .dlpi_addr = map->l_addr,
      .dlpi_name = map->l_name,
      .dlpi_phdr = headers,
      .dlpi_phnum = ((const ElfW(Ehdr) *)(const void *)start)->e_phnum,
  };
  return true;
}

int tm_image_visit(uintptr_t address, tm_image_visitor visitor, void *context) {
  wanted w = {address, visitor, context};
  struct dl_find_object image;
  struct dl_phdr_info info;
  if (!_dl_find_object) return dl_iterate_phdr(visit_wanted, &w);
  if (_dl_find_object((void *)address, &image) != 0) return 0;
  if (describe(&image, &info)) return visit_wanted(&info, sizeof info, &w);
  return dl_iterate_phdr(visit_wanted, &w);
}
#else
int tm_image_visit(uintptr_t address, tm_image_visitor visitor, void *context) {
  wanted w = {address, visitor, context};
  return dl_iterate_phdr(visit_wanted, &w);
}
#endif

TM_GATE_CODE_END
#endif
