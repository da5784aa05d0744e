/* The end of watching before the end of the process. */
#ifndef TM_END_H
#define TM_END_H

/* Tells and writes what is left, as at exit, and stops watching for good. The status that the gate
 * wants waits for the exit. errno stays as it is. */
void tm_end_watching(void);
#endif
