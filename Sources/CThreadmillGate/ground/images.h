/* What `tm_image_visit` and others ask a loaded image. */
#ifndef TM_IMAGES_H
#define TM_IMAGES_H
#include "ground/base.h"
#include <link.h>

/* Returns whether the address lies in a part of the image that is in memory. */
TM_INLINE bool tm_image_has(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t low = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && address - low < header->p_memsz) return true;
  }
  return false;
}

/* Returns the address for an entry of the dynamic section. In most images the linker has already
 * added the address at which the image lies, but not in the kernel's. */
TM_INLINE uintptr_t tm_image_place(const struct dl_phdr_info *info, uintptr_t place) {
  return place < info->dlpi_addr ? place + info->dlpi_addr : place;
}

#endif
