#ifdef __linux__
#include "ground/base.h"
#include "code/own_variables.h"

TM_GATE_CODE_BEGIN

enum { VARIABLES = 4096 };
static uintptr_t distances[VARIABLES];
static uint32_t variable_count;

static uintptr_t thread_pointer(void) {
  uintptr_t pointer = 0;
#if defined(__x86_64__)
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
#elif defined(__aarch64__)
  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
  return pointer;
}

bool tm_own_variable_add(const struct dl_phdr_info *info, uintptr_t offset) {
  if (!info->dlpi_tls_data || variable_count == VARIABLES) return false;
  distances[variable_count++] = (uintptr_t)info->dlpi_tls_data + offset - thread_pointer();
  return true;
}

uintptr_t tm_own_variable_at(uintptr_t address) {
  uintptr_t distance = address - thread_pointer();
  for (uint32_t i = 0; i < variable_count; i++)
    if (distances[i] == distance) return distance;
  return 0;
}

uint32_t *tm_own_variable(uintptr_t distance) { return (uint32_t *)(thread_pointer() + distance); }

void tm_own_variables_clear(void) {
  for (uint32_t i = 0; i < variable_count; i++) *tm_own_variable(distances[i]) = 0;
}

TM_GATE_CODE_END
#endif
