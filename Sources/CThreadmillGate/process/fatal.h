/* Acts when a signal is about to end the process. */
#ifndef TM_FATAL_H
#define TM_FATAL_H

/* Takes over the signals of crashes, if crashes are findings. */
void tm_fatal_prepare(void);
/* Takes SIGINT over if its action is the default one, or gives it back; on the watchdog's thread.
 */
void tm_interrupt_heed(bool heeds);
#endif
