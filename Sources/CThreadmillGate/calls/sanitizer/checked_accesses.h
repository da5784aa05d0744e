/* The memory accesses that Address Sanitizer checks by a call. */
#ifndef TM_CHECKED_ACCESSES_H
#define TM_CHECKED_ACCESSES_H

/* Puts the gate in front of the sanitizer's checks. Called before the program has a second
 * thread. */
void tm_checked_accesses_prepare(void);
#endif
