/* Puts functions of the gate in the place of local functions of the user's images, which no linker
 * can replace: writes a jump at their entry. They are found by their names in the symbol table. */
#ifndef TM_REPLACEMENT_H
#define TM_REPLACEMENT_H
#include "ground/base.h"

typedef struct tm_replacement {
  const char *name;
  void (*by)(void);
} tm_replacement;

/* Replaces the functions in each image of the user's that needs the library. Returns how many such
 * images have none of the functions, or cannot be changed. Called before the program has a second
 * thread, because the jump is longer than one store. */
uint32_t tm_replace(const char *library, const tm_replacement *, uint32_t count);
/* Returns whether an image of the user's needs the library. */
bool tm_is_needed(const char *library);
#endif
