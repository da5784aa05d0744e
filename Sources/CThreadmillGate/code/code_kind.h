/* Whose code a return address lies in, as far as stacks care. */
#ifndef TM_CODE_KIND_H
#define TM_CODE_KIND_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the address lies in code of a library, the gate or libswiftDispatch. */
bool tm_is_library(uintptr_t address);

/* Whether it lies in code of any kind. */
bool tm_is_code(uintptr_t address);

/* How much of a stack is told as a site: what lies beyond a task's own functions is what runs every
 * task, and no way that led here. */
uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count);
#endif
