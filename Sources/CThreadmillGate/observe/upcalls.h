/* The functions of other floors that the Observer calls. */
#ifndef TM_OBSERVE_UPCALLS_H
#define TM_OBSERVE_UPCALLS_H
#include <stdbool.h>

/* Returns whether the calling thread runs a flow of an exploration. */
bool tm_is_exploring(void);
#endif
