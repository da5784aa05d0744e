#ifndef TM_ACCESSES_H
#define TM_ACCESSES_H
#include "ground/base.h"

/* The code at the return address `place` is about to read or write memory. */
void tm_accessed(const void *address, void *place, uint32_t size, bool writes);
#endif
