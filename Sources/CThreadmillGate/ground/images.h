/* Questions about a loaded image, for visitors of the images. */
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

/* Returns where the image's code begins; 0 if it has none. */
TM_INLINE uintptr_t tm_image_code(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && header->p_flags & PF_X)
      return info->dlpi_addr + header->p_vaddr;
  }
  return 0;
}

/* Returns the address for an entry of the dynamic section. In most images the linker has already
 * added the address at which the image lies, but not in the kernel's. */
TM_INLINE uintptr_t tm_image_place(const struct dl_phdr_info *info, uintptr_t place) {
  return place < info->dlpi_addr ? place + info->dlpi_addr : place;
}

#endif
