/* Reports before the end by a signal: the watchdog tells a crash as a finding, and writes the
 * report before another process ends this one. */
#ifndef TM_CRASH_H
#define TM_CRASH_H

/* Called in the handler of a fatal signal, with its context; returns after a bounded time. */
void tm_crash_tell(int number, void *context);
/* Called in the handler of any other signal that ends the process: has the report written before,
 * and on SIGINT, if the program stood still, has the standstill described. */
void tm_ending_save(int number, void *context);
#endif
