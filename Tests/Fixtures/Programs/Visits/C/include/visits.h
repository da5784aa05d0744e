#ifndef VISITS_H
#define VISITS_H

/* Prints whether a thread has gone through the loaded images since the last call, and the functions
 * that were called meanwhile, with the dynamic linker's lock held. Called once more at the end of
 * the process, when everybody else is through. */
void visits_tell(const char *what);
/* Calls one of these functions during a visit. */
void visits_misbehave(void);

#endif
