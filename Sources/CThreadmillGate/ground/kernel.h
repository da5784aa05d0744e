/* Reads the state of this process's threads and files from the kernel: whether a thread ran since
 * the last look, and whether its wait can be ended from outside. Reads /proc by raw system calls;
 * only the watchdog calls this. */
#ifndef TM_KERNEL_H
#define TM_KERNEL_H
#include "threadmill_gate.h" /* tm_peek */

typedef struct tm_task {
  bool asleep; /* asleep in the kernel, and waits for no core or device */
  bool known;  /* `call` and `arguments` could be read */
  long call;   /* the system call that it is in */
  uint64_t arguments[6];
  uint64_t switches; /* how often it went to sleep or lost its core */
} tm_task;

/* Returns false if the thread has ended. */
bool tm_task_read(int tid, tm_task *task);

/* Returns whether the thread has ended, for certain. */
bool tm_task_has_ended(int tid);

/* Returns whether every other thread of this process has ended. */
bool tm_task_is_alone(void);

/* Returns whether this process has more living threads, or may have them. */
bool tm_tasks_are_more(uint32_t count);

/* Writes to memory that may not take it, such as a mapped file on a full disk. Returns false if not
 * all was written. */
bool tm_poke(void *to, const void *from, size_t size);

/* Returns whether the system call is a wait for a futex of this process alone. */
bool tm_task_waits_in_private(const tm_task *task);

/* Returns whether nothing outside the process can end the system call: it waits for other threads,
 * for files that only this process writes to, or for timers. If `timers` is true, only timers that
 * are not set count so. */
bool tm_task_waits_in_vain(const tm_task *task, bool timers);
#endif
