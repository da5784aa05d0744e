/* The code of Foundation's lock classes: NSLock, NSRecursiveLock, NSCondition, NSConditionLock. */
#ifndef TM_LOCK_CLASSES_H
#define TM_LOCK_CLASSES_H
#include "ground/base.h"

/* The part of Foundation that an address belongs to. */
typedef enum tm_part {
  TM_PART_OTHER,
  TM_PART_LOCKS,
  TM_PART_OPERATIONS,
  TM_PART_OPERATION_READS, /* asks an operation for its state, under the operation's lock */
  TM_PART_UNNAMED,         /* a local function: the library's table of symbols does not have it */
} tm_part;

/* Finds the code of the lock classes. Called once, before there are other threads. */
void tm_lock_classes_prepare(void);
/* Takes up to 0.1 ms. If the code was not found, only functions with a name are told apart. */
tm_part tm_part_of_foundation(uintptr_t address);
#endif
