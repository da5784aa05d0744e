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

/* Returns the program headers of the file that is mapped here; NULL if the file's header is not. */
static const ElfW(Phdr) * headers_of(const struct dl_find_object *part) {
  const ElfW(Ehdr) *header = part->dlfo_map_start;
  uintptr_t size = (uintptr_t)part->dlfo_map_end - (uintptr_t)part->dlfo_map_start;
  if (size < sizeof *header || !tm_same(header->e_ident, ELFMAG, SELFMAG)) return NULL;
  uintptr_t end = header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr));
  if (header->e_phentsize != sizeof(ElfW(Phdr)) || end > size) return NULL;
  const ElfW(Phdr) *headers = (const void *)((const char *)header + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++)
    if (headers[i].p_type == PT_LOAD && headers[i].p_offset == 0)
      return headers[i].p_filesz >= end ? headers : NULL;
  return NULL;
}

/* If an image has gaps, glibc knows each part by itself, and only the first one begins with the
 * header. In nearly all images that one lies where the image was moved to. */
static bool describe(const struct dl_find_object *image, struct dl_phdr_info *info) {
  const struct link_map *map = image->dlfo_link_map;
  struct dl_find_object part = *image;
  const ElfW(Phdr) *headers = headers_of(&part);
  if (!headers && _dl_find_object((void *)map->l_addr, &part) == 0 && part.dlfo_link_map == map)
    headers = headers_of(&part);
  if (!headers) return false;
  *info = (struct dl_phdr_info){
      .dlpi_addr = map->l_addr,
      .dlpi_name = map->l_name,
      .dlpi_phdr = headers,
      .dlpi_phnum = ((const ElfW(Ehdr) *)part.dlfo_map_start)->e_phnum,
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
