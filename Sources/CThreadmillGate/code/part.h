/* The part of a thread's state that names code: its stack, and the callers that it has looked up.
 */
#ifndef TM_CODE_PART_H
#define TM_CODE_PART_H
#include "ground/limits.h"

typedef struct tm_recent tm_recent;
typedef struct tm_recent_site tm_recent_site;

typedef struct tm_code_part {
  uintptr_t stack_top;
  uint64_t callers[TM_CALLERS]; /* a page of code, and the kind of caller there; see caller.h */
  tm_recent *recent[TM_RECENT]; /* see recent.h; the next thread with this record may use them */
  tm_recent_site *recent_sites[TM_RECENT];
  /* The stack that another thread has asked this thread for; see interrupted.c. */
  atomic_int stack_wanted;
  uint32_t taken_count;
  uintptr_t taken_stack[TM_STACK];
} tm_code_part;
#endif
