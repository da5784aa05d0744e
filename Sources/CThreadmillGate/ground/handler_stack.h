/* A stack for the handler of a crash. A thread that has used up its own stack can run no handler on
 * it. A thread gets the gate's stack only if crashes are findings and it has none of its own, and
 * the program does not see it: `sigaltstack` says that there is none. */
#ifndef TM_HANDLER_STACK_H
#define TM_HANDLER_STACK_H
#include "ground/base.h"
#include "ground/thread.h"
#include <signal.h>

/* Gives the calling thread a stack, unless the program has. */
void tm_handler_stack_give(tm_thread *);
/* Takes it back before the thread ends. */
void tm_handler_stack_take_back(tm_thread *);
/* In the handler of a crash: what the thread does after the handler runs without the gate's stack,
 * as it would without the gate. */
void tm_handler_stack_drop(void *context);
/* The program has a handler that runs on such a stack if there is one, and on the thread's own if
 * not: the calling thread gives the gate's stack back, and no further thread gets one. */
void tm_handler_stack_renounce(void);
/* `sigaltstack` as the program sees it. */
int tm_handler_stack_ask(const stack_t *wanted, stack_t *before);
#endif
