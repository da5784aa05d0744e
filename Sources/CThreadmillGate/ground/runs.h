/* The names of submitted work. */
#ifndef TM_RUNS_H
#define TM_RUNS_H

/* The work that a strand runs, as it was submitted. These are addresses only: another thread must
 * not follow them, because the objects may be gone. */
typedef struct tm_runs {
  const void *queue; /* the queue that it was submitted to; NULL: a thread's own code */
  const void *group; /* the group that it belongs to */
  const void *job;   /* the Swift runtime's job */
} tm_runs;
#endif
