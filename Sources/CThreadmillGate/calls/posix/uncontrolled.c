#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "seam/users_call.h"
#include <poll.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Calls that wait for the world outside the process, or begin something there. The Scheduler does
 * not decide how they end, so they run as usual and an exploration counts them. */

__attribute__((noinline)) static void pass(const char *name, void *return_address, void *frame) {
  tm_caller who;
  if (!tm_seat_here() || !tm_users_call(return_address, &who)) return;
  if (who != TM_CALLER_RUNTIME) tm_control_passed(name, frame);
}

/* The condition is not marked as unlikely: the compiler would then move the call to a separate
 * function, with another return address. */
#define TM_OUTSIDE_CALL(type, name, parameters, arguments)                  \
  TM_EXPORT type name parameters {                                          \
    if (atomic_load_explicit(&tm_controlling, memory_order_relaxed))        \
      pass(#name, __builtin_return_address(0), __builtin_frame_address(0)); \
    return TM_REAL(name) arguments;                                         \
  }

TM_OUTSIDE_CALL(ssize_t, read, (int file, void *to, size_t size), (file, to, size))
TM_OUTSIDE_CALL(ssize_t, recv, (int file, void *to, size_t size, int flags),
                (file, to, size, flags))
TM_OUTSIDE_CALL(ssize_t, recvfrom,
                (int file, void *restrict to, size_t size, int flags,
                 struct sockaddr *restrict address, socklen_t *restrict length),
                (file, to, size, flags, address, length))
TM_OUTSIDE_CALL(ssize_t, recvmsg, (int file, struct msghdr *message, int flags),
                (file, message, flags))
TM_OUTSIDE_CALL(int, accept,
                (int file, struct sockaddr *restrict address, socklen_t *restrict length),
                (file, address, length))
TM_OUTSIDE_CALL(int, accept4,
                (int file, struct sockaddr *restrict address, socklen_t *restrict length,
                 int flags),
                (file, address, length, flags))
TM_OUTSIDE_CALL(int, connect, (int file, const struct sockaddr *address, socklen_t length),
                (file, address, length))
TM_OUTSIDE_CALL(int, poll, (struct pollfd * files, nfds_t count, int limit), (files, count, limit))
TM_OUTSIDE_CALL(int, ppoll,
                (struct pollfd * files, nfds_t count, const struct timespec *limit,
                 const sigset_t *mask),
                (files, count, limit, mask))
TM_OUTSIDE_CALL(int, select,
                (int count, fd_set *restrict readable, fd_set *restrict writable,
                 fd_set *restrict failed, struct timeval *restrict limit),
                (count, readable, writable, failed, limit))
TM_OUTSIDE_CALL(int, pselect,
                (int count, fd_set *restrict readable, fd_set *restrict writable,
                 fd_set *restrict failed, const struct timespec *restrict limit,
                 const sigset_t *restrict mask),
                (count, readable, writable, failed, limit, mask))
TM_OUTSIDE_CALL(int, epoll_wait, (int file, struct epoll_event *events, int count, int limit),
                (file, events, count, limit))
TM_OUTSIDE_CALL(int, epoll_pwait,
                (int file, struct epoll_event *events, int count, int limit, const sigset_t *mask),
                (file, events, count, limit, mask))
TM_OUTSIDE_CALL(pid_t, waitpid, (pid_t process, int *status, int options),
                (process, status, options))
TM_OUTSIDE_CALL(int, posix_spawn,
                (pid_t *restrict process, const char *restrict path,
                 const posix_spawn_file_actions_t *restrict actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const environment[restrict]),
                (process, path, actions, attributes, arguments, environment))
TM_OUTSIDE_CALL(int, posix_spawnp,
                (pid_t *restrict process, const char *restrict file,
                 const posix_spawn_file_actions_t *restrict actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const environment[restrict]),
                (process, file, actions, attributes, arguments, environment))

/* Taken over for the Scheduler (control/threads.c). There is nothing to watch in a yield. */
TM_EXPORT int sched_yield(void) { return TM_REAL(sched_yield)(); }

TM_GATE_CODE_END
#endif
