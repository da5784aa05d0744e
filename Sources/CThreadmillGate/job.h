/* Jobs of the Swift runtime: what a task does between two suspensions, on a thread that it shares
 * with others. */
#ifndef TM_JOB_H
#define TM_JOB_H
#include "hop.h"

/* Runs the job that this hop carries, and looks at what it leaves behind. */
void tm_job_run(tm_thread *, const tm_hop *);
#endif
