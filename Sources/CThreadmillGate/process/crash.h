/* A crash is a finding, told by the watchdog before the signal takes its course; so is what was
 * found before somebody ends the process. */
#ifndef TM_CRASH_H
#define TM_CRASH_H

/* Called in the handler of a fatal signal, with its context; returns after a bounded time. */
void tm_crash_tell(int number, void *context);
/* The same for a signal that is no crash: has the report written. */
void tm_ending_save(void);
#endif
