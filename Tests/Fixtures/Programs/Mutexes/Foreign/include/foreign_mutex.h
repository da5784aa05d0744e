/* A `Synchronization.Mutex` as code uses it that the gate cannot reach: the exchanges are inlined,
 * and the slow functions are the standard library's own. */
#ifndef FOREIGN_MUTEX_H
#define FOREIGN_MUTEX_H
#include <stdbool.h>
#include <stdint.h>

/* Finds the standard library's functions; false if it has none. */
bool foreign_prepare(void);
void foreign_lock(uint32_t *word);
void foreign_unlock(uint32_t *word);
uint32_t foreign_look(const uint32_t *word);
int foreign_fork(void);
/* Makes system calls by number, with all arguments that there can be. Returns how many of them came
 * out wrong. */
int foreign_calls(void);
/* Takes a lock of its own by the number of the thread, and keeps the number in several places. */
bool foreign_takes_own(void);
/* Whether the places still have it. */
bool foreign_has_own(void);
#endif
