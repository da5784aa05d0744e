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
/* The program headers lie where the image begins, if its file is mapped from the start. */
static bool describe(const struct dl_find_object *image, struct dl_phdr_info *info) {
  const ElfW(Ehdr) *header = image->dlfo_map_start;
  uintptr_t size = (uintptr_t)image->dlfo_map_end - (uintptr_t)image->dlfo_map_start;
  if (size < sizeof *header || !tm_same(header->e_ident, ELFMAG, SELFMAG)) return false;
  if (header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > size) return false;
  *info = (struct dl_phdr_info){
      .dlpi_addr = image->dlfo_link_map->l_addr,
      .dlpi_name = image->dlfo_link_map->l_name,
      .dlpi_phdr = (const void *)((const char *)header + header->e_phoff),
      .dlpi_phnum = header->e_phnum,
  };
  return true;
}

int tm_image_visit(uintptr_t address, tm_image_visitor visitor, void *context) {
  wanted w = {address, visitor, context};
  struct dl_find_object image;
  struct dl_phdr_info info;
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
