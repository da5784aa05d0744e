/* Numbers of objects. */
#ifndef TM_NUMBER_H
#define TM_NUMBER_H
#include "ground/base.h"

/* Returns a number that no object had before. */
uint64_t tm_object_new_id(void);
#endif
