#ifdef __linux__
#include "ground/base.h"
#include "calls/posix/file_call.h"
#include "code/caller.h"
#include "control/model.h"
#include "seam/point.h"
#include "seam/users_call.h"
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

void tm_file_call_begins(void *return_address) {
  tm_seat *s = tm_seat_here();
  tm_caller who;
  if (!s) return;
  bool watched = tm_users_call(return_address, &who) != NULL;
  s->place = (uintptr_t)return_address;
  s->point = watched && tm_is_users_own(who);
  s->counts = watched && (who & ~TM_CALLER_FLAGS) != TM_CALLER_RUNTIME;
}

/* Taken over for the Scheduler (control/threads.c). There is nothing to watch in a yield. */
TM_EXPORT int sched_yield(void) { return TM_REAL(sched_yield)(); }

/* Reading. */

TM_FILE_CALL(ssize_t, read, (int file, void *to, size_t size), (file, to, size))
TM_FILE_CALL(ssize_t, readv, (int file, const struct iovec *parts, int count),
             (file, parts, count))
TM_FILE_CALL(ssize_t, recv, (int file, void *to, size_t size, int flags), (file, to, size, flags))
TM_FILE_CALL(ssize_t, recvfrom,
             (int file, void *restrict to, size_t size, int flags,
              struct sockaddr *restrict address, socklen_t *restrict length),
             (file, to, size, flags, address, length))
TM_FILE_CALL(ssize_t, recvmsg, (int file, struct msghdr *message, int flags),
             (file, message, flags))
TM_FILE_CALL(int, accept,
             (int file, struct sockaddr *restrict address, socklen_t *restrict length),
             (file, address, length))
TM_FILE_CALL(int, accept4,
             (int file, struct sockaddr *restrict address, socklen_t *restrict length, int flags),
             (file, address, length, flags))
TM_FILE_CALL(int, eventfd_read, (int file, eventfd_t *value), (file, value))

/* Writing. */

TM_FILE_CALL(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
TM_FILE_CALL(ssize_t, writev, (int file, const struct iovec *parts, int count),
             (file, parts, count))
TM_FILE_CALL(ssize_t, send, (int file, const void *from, size_t size, int flags),
             (file, from, size, flags))
TM_FILE_CALL(ssize_t, sendto,
             (int file, const void *from, size_t size, int flags, const struct sockaddr *address,
              socklen_t length),
             (file, from, size, flags, address, length))
TM_FILE_CALL(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags),
             (file, message, flags))
TM_FILE_CALL(int, eventfd_write, (int file, eventfd_t value), (file, value))
TM_FILE_CALL(int, connect, (int file, const struct sockaddr *address, socklen_t length),
             (file, address, length))
TM_FILE_CALL(int, shutdown, (int file, int how), (file, how))
TM_FILE_CALL(int, close, (int file), (file))

TM_GATE_CODE_END
#endif
