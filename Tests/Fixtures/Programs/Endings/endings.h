/* Ways in which a program ends after two of its threads have taken two locks in opposite orders. */
#ifndef ENDINGS_H
#define ENDINGS_H

/* Takes two mutexes in opposite orders on two threads, one after the other by a flag only. Returns
 * when both have ended. */
void quarrel(void);

/* Each ends the process, or returns the status with which it is to end. */
int ends_by_sigterm(void);
int ends_by_abort(void);
int ends_by_segmentation_fault(void);
int ends_by_breakpoint(void);
/* With more last words than one table has room for. */
int ends_by_abort_with_many_words(void);
/* More than can be told apart; none is a queue. */
int has_many_pools(void);
/* Says the line first. */
int ends_by_trap(void);
/* With the lock held that looking up names takes. */
int ends_by_abort_under_the_linkers_lock(void);
int goes_on_with_own_handler(void);
int chains_to_the_handler_before(void);
int goes_on_ignoring(void);
int relocks_for_ever(void);
/* A thread quarrels for which there is a request to be cancelled, and says how far it came. */
int quarrels_when_cancelled(void);

/* No file may grow any more. */
int returns_with_full_files(void);
/* Nothing reads standard error any more. */
int returns_without_reader(void);

int forks_while_others_hold_locks(void);
int forks_and_executes(void);
int executes(void);
int starts_a_shell(void);

#endif
