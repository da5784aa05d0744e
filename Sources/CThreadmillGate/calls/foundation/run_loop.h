/* Run loops; see run_loop.c. */
#ifndef TM_RUN_LOOP_H
#define TM_RUN_LOOP_H

/* Called once, before anything is watched. */
void tm_run_loops_prepare(void);
#endif
