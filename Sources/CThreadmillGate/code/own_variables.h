/* Thread-local variables of four bytes, in images that the program was started with. Each thread
 * has its own at the same distance from its thread pointer. */
#ifndef TM_OWN_VARIABLES_H
#define TM_OWN_VARIABLES_H
#include "ground/base.h"
#include <link.h>

/* Notes the variable at this offset in the thread-local block of the image. Returns false if there
 * is no block, or no room. Called before the program has a second thread. */
bool tm_own_variable_add(const struct dl_phdr_info *info, uintptr_t offset);
/* Returns the distance of the noted variable of the calling thread that lies at the address; 0 if
 * there is none. */
uintptr_t tm_own_variable_at(uintptr_t address);
/* Returns the calling thread's variable at this distance. */
uint32_t *tm_own_variable(uintptr_t distance);
/* Writes 0 into all noted variables of the calling thread. */
void tm_own_variables_clear(void);
#endif
