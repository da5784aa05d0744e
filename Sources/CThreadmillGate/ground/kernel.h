/* Reads the state of this process's threads and files from the kernel: whether a thread ran since
 * the last look, and whether its wait can be ended from outside. Reads /proc by raw system calls;
 * only the watchdog calls this. */
#ifndef TM_KERNEL_H
#define TM_KERNEL_H

typedef struct tm_task {
  bool asleep; /* in the kernel, and not for a core or a device */
  bool known;  /* the next two were readable */
  long call;   /* the system call that it is in */
  uint64_t arguments[6];
  uint64_t switches; /* how often it went to sleep or lost its core */
} tm_task;

/* False if there is no such thread any more. */
bool tm_task_read(int tid, tm_task *task);

/* Copies memory that another thread may give back meanwhile, so nothing of it is touched. False if
 * not all of it is there. */
bool tm_peek(const void *from, void *to, size_t size);

/* Whether the system call waits for nothing that could come from outside the process: for other
 * threads, or for files that none but this process writes to and, if `timers` count, timers that
 * are not set. */
bool tm_task_waits_in_vain(const tm_task *task, bool timers);
#endif
