#ifndef VISITS_H
#define VISITS_H
#include <stdbool.h>

/* Prints whether a thread has gone through the loaded images since the last call, and the functions
 * that were called meanwhile, with the dynamic linker's lock held. Called once more at the end of
 * the process, when everybody else is through. */
void visits_tell(const char *what);
/* Calls one of these functions during a visit. */
void visits_misbehave(void);
/* Calls `body` with a lock held for which the constructor of a library waits, in a thread that
 * loads the library. Returns whether it was loaded. */
bool visits_while_loading(const char *library, void (*body)(void));
/* Compares what the gate finds at addresses in all parts of all images with what `dladdr` finds,
 * and prints what is different. */
void visits_locate(void);

#endif
