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

/* The functions to replace in an image. Code in which `locals` were inlined calls the functions of
 * `inner`, which other images have, and keeps their result in thread-local variables with the name
 * `variable`. Only an image with such a variable uses the replacements of `inner`; a name of NULL
 * ends that list. Each image that has any of this code calls `marker`. */
typedef struct tm_replacements {
  const tm_replacement *locals;
  uint32_t count;
  const tm_slot_change *inner;
  const char *variable, *marker;
} tm_replacements;

/* Replaces the functions in each image of the user's that needs the library and has such code, and
 * notes the variables (own_variables.h). Returns how many of these images stay as they are. Called
 * before the program has a second thread, because a jump is longer than one store. */
uint32_t tm_replace(const char *library, const tm_replacements *);
/* Returns whether an image of the user's needs the library. */
bool tm_is_needed(const char *library);
#endif
