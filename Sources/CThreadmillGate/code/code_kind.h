/* Sorts a return address by the code that it lies in, for stacks. */
#ifndef TM_CODE_KIND_H
#define TM_CODE_KIND_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the address lies in code of a library, the gate or libswiftDispatch. */
bool tm_is_library(uintptr_t address);

/* Returns whether the address lies in code of any kind. */
bool tm_is_code(uintptr_t address);

/* Returns the number of frames that belong to a site. The frames beyond a task's own functions are
 * those that run every task. */
uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count);
#endif
