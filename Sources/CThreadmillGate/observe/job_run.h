/* Runs jobs of the Swift runtime, and looks for locks that they leave behind. */
#ifndef TM_JOB_RUN_H
#define TM_JOB_RUN_H
#include "ground/thread.h"
#include "object/hop.h"

void tm_job_run(tm_thread *, const tm_hop *);
#endif
