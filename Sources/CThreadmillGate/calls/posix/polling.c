#ifdef __linux__
#include "ground/base.h"
#include "calls/posix/file_call.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>

TM_GATE_CODE_BEGIN

/* Waiting for one of several files. */

TM_FILE_CALL(int, poll, (struct pollfd * files, nfds_t count, int limit), (files, count, limit))
TM_FILE_CALL(int, ppoll,
             (struct pollfd * files, nfds_t count, const struct timespec *limit,
              const sigset_t *mask),
             (files, count, limit, mask))
TM_FILE_CALL(int, select,
             (int count, fd_set *restrict readable, fd_set *restrict writable,
              fd_set *restrict failed, struct timeval *restrict limit),
             (count, readable, writable, failed, limit))
TM_FILE_CALL(int, pselect,
             (int count, fd_set *restrict readable, fd_set *restrict writable,
              fd_set *restrict failed, const struct timespec *restrict limit,
              const sigset_t *restrict mask),
             (count, readable, writable, failed, limit, mask))
TM_FILE_CALL(int, epoll_wait, (int file, struct epoll_event *events, int count, int limit),
             (file, events, count, limit))
TM_FILE_CALL(int, epoll_pwait,
             (int file, struct epoll_event *events, int count, int limit, const sigset_t *mask),
             (file, events, count, limit, mask))
TM_FILE_CALL(int, epoll_pwait2,
             (int file, struct epoll_event *events, int count, const struct timespec *limit,
              const sigset_t *mask),
             (file, events, count, limit, mask))
TM_FILE_CALL(int, epoll_ctl, (int set, int what, int file, struct epoll_event *event),
             (set, what, file, event))
TM_FILE_CALL(int, timerfd_settime,
             (int file, int flags, const struct itimerspec *when, struct itimerspec *before),
             (file, flags, when, before))
TM_FILE_CALL(int, timerfd_gettime, (int file, struct itimerspec *now), (file, now))

TM_GATE_CODE_END
#endif
