/* Foundation's operations. */
#ifndef TM_OPERATIONS_H
#define TM_OPERATIONS_H
#include "state.h"

/* An operation that a thread is inside of: `start` was called and has not returned. */
typedef struct tm_running {
  const void *operation;
  struct tm_running *outer;
} tm_running;

/* Takes over what the classes of Foundation itself do. Once, before there are other threads. */
void tm_operations_prepare(void);
#endif
