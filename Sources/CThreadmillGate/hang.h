/* Notices that nothing under observation makes progress any more. */
#ifndef TM_HANG_H
#define TM_HANG_H

/* Begins to look, if the settings say so; once, at activation. */
void tm_hang_prepare(void);
#endif
