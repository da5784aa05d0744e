/* The frame of an interposed call on a file, a signal or a process. There is nothing to watch in
 * these calls; an exploration lets its flows wait for each other there (control/files.c), and
 * counts what comes from outside of the process. */
#ifndef TM_FILE_CALL_H
#define TM_FILE_CALL_H
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/real.h"

/* Prepares the flow's step, if the caller is one. */
__attribute__((noinline)) void tm_file_call_begins(void *return_address);

/* The return address is read first: the compiler may move code that it takes for unlikely into a
 * separate function, where the return address would be one of the wrapper. */
#define TM_FILE_CALL_BEGINS()                                                                    \
  do {                                                                                           \
    void *place = __builtin_return_address(0);                                                   \
    __asm__ volatile("" : "+r"(place));                                                          \
    if (atomic_load_explicit(&tm_controlling, memory_order_relaxed)) tm_file_call_begins(place); \
  } while (0)

#define TM_FILE_CALL(type, name, parameters, arguments)                                          \
  TM_EXPORT type name parameters {                                                               \
    TM_FILE_CALL_BEGINS();                                                                       \
    return TM_REAL(name) arguments;                                                              \
  }

#endif
