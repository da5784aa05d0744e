#ifdef __linux__
#include "ground/base.h"
#include "code/own_variables.h"

TM_GATE_CODE_BEGIN

enum { IMAGES = 64 };
static struct {
  uintptr_t distance, size;
} blocks[IMAGES];
static uint32_t block_count;

static uintptr_t thread_pointer(void) {
  uintptr_t pointer = 0;
#if defined(__x86_64__)
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
#elif defined(__aarch64__)
  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
  return pointer;
}

bool tm_own_variables_add(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum && info->dlpi_tls_data && block_count < IMAGES; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_TLS) continue;
    blocks[block_count].distance = (uintptr_t)info->dlpi_tls_data - thread_pointer();
    blocks[block_count++].size = h->p_memsz;
    return true;
  }
  return false;
}

bool tm_is_own_variable(uintptr_t address) {
  uintptr_t distance = address - thread_pointer();
  for (uint32_t i = 0; i < block_count; i++)
    if (distance - blocks[i].distance < blocks[i].size) return true;
  return false;
}

TM_GATE_CODE_END
#endif
