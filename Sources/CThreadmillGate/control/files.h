/* Files that flows wait for: pipes, sockets, eventfds, timers and sets of them. The kernel is the
 * model: only one flow runs, so a file's state changes only at a flow's step, unless the file
 * reaches outside of the process. */
#ifndef TM_CONTROL_FILES_H
#define TM_CONTROL_FILES_H
#include "control/model.h"
#include "ground/reach.h"
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The object of each step on a file. One for all files, because the two ends of a pipe or
 * connection are different files. */
extern const char tm_control_files;

/* Asks the kernel which files are ready, without waiting and unseen by TSan. */
TM_INLINE int tm_poll_now(struct pollfd *files, nfds_t count) {
  struct timespec none = {0, 0};
  return (int)syscall(SYS_ppoll, files, count, &none, NULL, 0l);
}
TM_INLINE bool tm_is_ready(int file, short events) {
  struct pollfd it = {file, events, 0};
  return tm_poll_now(&it, 1) > 0;
}

/* How the flow waits for files: the question whether it can go on, what can make that so, and what
 * both look at. */
typedef struct tm_file_wait {
  tm_question ready;
  tm_reach (*reach)(const tm_flow *);
  const void *with;
  int file; /* the file that names the wait */
} tm_file_wait;
/* Waits as a step of this kind. Returns false if `due` ended the wait. */
bool tm_file_step(tm_seat *, tm_step_kind, const tm_file_wait *, uint64_t due);
/* Waits until the file is ready for POLLIN or POLLOUT. Returns false, with `errno` set, if the
 * socket's own time limit has passed. */
bool tm_file_await(tm_seat *, int file, short events);
/* A step on a file that cannot wait. */
void tm_file_point(tm_seat *, tm_step_kind, int file);
/* Counts the call if the file reaches outside of the process. */
void tm_file_count(tm_seat *, const char *name, int file, void *frame);
/* Notes whether a call that does not wait had a result. A flow that asks in vain again and again
 * waits for another flow, and rests. */
void tm_file_asked(tm_seat *, bool in_vain);
/* Returns whether a call on this file, with these flags of a socket's call, never waits. */
bool tm_file_never_waits(int file, int flags);
/* The moment in virtual time that is `limit` from now; 0, "never", if `limit` is NULL. */
uint64_t tm_file_due(const struct timespec *limit);
#endif
