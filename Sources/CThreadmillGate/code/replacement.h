/* Puts functions of the gate in the place of others for the user's images alone. No linker can
 * replace a local function of an image: a jump is written at its entry. It is found by its name in
 * the symbol table. Where the function was inlined, what it calls is replaced. */
#ifndef TM_REPLACEMENT_H
#define TM_REPLACEMENT_H
#include "ground/base.h"
#include "ground/slots.h"

typedef struct tm_replacement {
  const char *name;
  void (*by)(void);
} tm_replacement;

/* `inner`: for code that has a local function inlined, which keeps something in a thread-local
 * variable of its image; see own_variables.h. Only a name of NULL: for no such code. `sign`: an
 * image that has any of the code calls this function, or has the gate in it. */
typedef struct tm_replacements {
  const tm_replacement *locals;
  uint32_t count;
  const tm_slot_change *inner;
  const char *sign;
} tm_replacements;

/* Replaces the functions in each image of the user's that needs the library. Returns how many such
 * images have the sign, and none of the functions, or cannot be changed. Called before the program
 * has a second thread, because the jump is longer than one store. */
uint32_t tm_replace(const char *library, const tm_replacements *);
/* Returns whether an image of the user's needs the library. */
bool tm_is_needed(const char *library);
#endif
