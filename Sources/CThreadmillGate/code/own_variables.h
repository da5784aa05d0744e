/* Where the thread-local variables of images lie. */
#ifndef TM_OWN_VARIABLES_H
#define TM_OWN_VARIABLES_H
#include "ground/base.h"
#include <link.h>

/* Notes those of an image that the program was started with: in each thread they are at the same
 * distance from what belongs to the thread. Returns false if the image has none, or there is no
 * room. Called before the program has a second thread. */
bool tm_own_variables_add(const struct dl_phdr_info *info);
/* Returns whether one of the calling thread's lies at this address. */
bool tm_is_own_variable(uintptr_t address);
#endif
