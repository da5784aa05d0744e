/* Notices that nothing under observation makes progress any more. */
#ifndef TM_HANG_H
#define TM_HANG_H
#include <stdbool.h>

/* Begins to look, if the settings say so; once, at activation. */
void tm_hang_prepare(void);
bool tm_is_test_running(void);
#endif
