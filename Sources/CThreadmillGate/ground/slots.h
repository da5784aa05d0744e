/* The places from which an image calls functions of other images. */
#ifndef TM_SLOTS_H
#define TM_SLOTS_H
#include "ground/base.h"
#include <link.h>

typedef struct tm_slot_change {
  const char *name;
  void *function;
} tm_slot_change;

/* Lets the image call other functions in place of those with these names. A place that cannot be
 * written stays as it is. */
void tm_slots_change(const struct dl_phdr_info *info, const tm_slot_change *changes,
                     uint32_t count);
#endif
