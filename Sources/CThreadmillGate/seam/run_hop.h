/* Runs hops: work that was submitted, as a strand of its own. */
#ifndef TM_RUN_HOP_H
#define TM_RUN_HOP_H
#include "ground/thread.h"
#include "object/hop.h"

/* Runs the hop's work on this thread. The hop stays the caller's. */
void tm_hop_run_here(tm_thread *, const tm_hop *);
/* Makes the hop that runs here land once more. The rest of its job is a new strand that begins
 * after the present moment, perhaps on another thread. */
void tm_hop_set_aside(tm_thread *, tm_hop *);
#endif
