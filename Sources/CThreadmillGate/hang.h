/* Notices that nothing under observation makes progress any more. */
#ifndef TM_HANG_H
#define TM_HANG_H
#include <stdbool.h>

/* Begins to look, if the settings say so; once, at activation. */
void tm_hang_prepare(void);
bool tm_is_test_running(void);
/* The picture of all threads that are not idle, whether something moves or not; on the watchdog's
 * thread. */
void tm_hang_show(void);
/* Shows the picture on SIGQUIT, unless the program deals with that itself; once, at activation. */
void tm_quit_prepare(void);
#endif
