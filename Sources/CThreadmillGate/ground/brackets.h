/* The brackets around what the gate does besides the watched call. */
#ifndef TM_BRACKETS_H
#define TM_BRACKETS_H
#include "ground/thread.h"

/* Around requests to the system: errno stays as it is, TSan orders nothing by what happens in
 * between, and the thread is not cancelled there, because libraries do not expect a cancellation,
 * and lock functions are no cancellation points. */
typedef struct tm_quiet {
  int error, cancellation;
} tm_quiet;
tm_quiet tm_quiet_begin(void);
void tm_quiet_end(tm_quiet);
/* Around every up-call into Swift; quiet in itself. */
tm_quiet tm_upcall_begin(tm_thread *);
void tm_upcall_end(tm_thread *, tm_quiet before);
void tm_runtime_lock_raw(void);
bool tm_runtime_lock_within(unsigned milliseconds);
void tm_runtime_unlock_raw(void);
/* In a forked child: frees both locks, which threads of the parent may have. */
void tm_forget_locks(void);
/* Around work that TSan must not see at all. */
void tm_ignore_begin(void);
void tm_ignore_end(void);
#endif
