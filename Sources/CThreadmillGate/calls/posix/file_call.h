/* The frame of an interposed call on a file, a signal or a process. There is nothing to watch in
 * these calls; an exploration lets its flows wait for each other there (control/files.c), and
 * counts what comes from outside of the process. */
#ifndef TM_FILE_CALL_H
#define TM_FILE_CALL_H
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/real.h"

/* Prepares the flow's step, if the caller is one. */
void tm_file_call_begins(void *return_address);

/* The condition is not marked as unlikely: the compiler would then move the call to a separate
 * function, with another return address. */
#define TM_FILE_CALL(type, name, parameters, arguments)                 \
  TM_EXPORT type name parameters {                                      \
    if (atomic_load_explicit(&tm_controlling, memory_order_relaxed))    \
      tm_file_call_begins(__builtin_return_address(0));                               \
    return TM_REAL(name) arguments;                                     \
  }

#endif
