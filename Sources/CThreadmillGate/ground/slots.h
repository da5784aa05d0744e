/* The places where an image keeps addresses of functions of other images. */
#ifndef TM_SLOTS_H
#define TM_SLOTS_H
#include "ground/base.h"
#include <link.h>

typedef struct tm_slot_change {
  const char *name;
  void *before, *function; /* `before` NULL: whatever was there */
} tm_slot_change;

/* Lets the image use other functions in place of those with these names. A place that cannot be
 * written, or that has another address already, stays as it is. A name of NULL ends the list.
 * Returns how many places were changed. */
uint32_t tm_slots_change(const struct dl_phdr_info *info, const tm_slot_change *changes);
/* Returns whether the image has a place for a function of this name. */
bool tm_slots_have(const struct dl_phdr_info *info, const char *name);
#endif
