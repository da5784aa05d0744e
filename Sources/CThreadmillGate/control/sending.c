#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "control/timer_files.h"
#include "ground/real.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

TM_GATE_CODE_BEGIN

/* Writing, and the other calls that make a file ready for another flow. A call that may block is
 * made in parts that do not. */

typedef enum sort { PLAIN, PIPE, SOCKET } sort;

static sort sort_of(int file) {
  struct stat it;
  if (syscall(SYS_fstat, file, &it) != 0) return PLAIN;
  return S_ISFIFO(it.st_mode) ? PIPE : S_ISSOCK(it.st_mode) ? SOCKET : PLAIN;
}

static bool had_no_room(ssize_t result) {
  return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* Sends once, without waiting inside the call. A pipe that is ready has room for PIPE_BUF bytes. */
static ssize_t send_part(sort kind, int file, const char *from, size_t size, int flags) {
  if (kind == SOCKET) return TM_TRUE(send)(file, from, size, flags | MSG_DONTWAIT);
  return TM_TRUE(write)(file, from, size < PIPE_BUF ? size : PIPE_BUF);
}

/* Sends everything, as a call that waits does. Returns the number of bytes, or -1. */
static ssize_t send_all(tm_seat *s, int file, const char *from, size_t size, int flags) {
  sort kind = sort_of(file);
  size_t sent = 0;
  do {
    if (!tm_file_await(s, file, POLLOUT)) break;
    ssize_t result = send_part(kind, file, from + sent, size - sent, flags);
    if (had_no_room(result) && tm_is_ready(file, POLLOUT)) break; /* another limit than room */
    if (had_no_room(result)) continue;
    if (result < 0) break;
    sent += (size_t)result;
    if (size == 0) return 0;
  } while (sent < size);
  return sent || size == 0 ? (ssize_t)sent : -1;
}

/* Returns whether the call has to be made in parts. Makes the step of one that has not. */
static bool goes_in_parts(tm_seat *s, const char *name, int file, int flags, void *frame) {
  tm_file_count(s, name, file, frame);
  if (!tm_file_never_waits(file, flags) && sort_of(file) != PLAIN) return true;
  tm_file_point(s, TM_STEP_SEND, file);
  return false;
}

static ssize_t control_write(int file, const void *from, size_t size) {
  tm_seat *s = tm_seat_here();
  if (!s || !goes_in_parts(s, "write", file, 0, __builtin_frame_address(0)))
    return TM_TRUE(write)(file, from, size);
  return send_all(s, file, from, size, 0);
}

static ssize_t control_send(int file, const void *from, size_t size, int flags) {
  tm_seat *s = tm_seat_here();
  if (!s || !goes_in_parts(s, "send", file, flags, __builtin_frame_address(0)))
    return TM_TRUE(send)(file, from, size, flags);
  return send_all(s, file, from, size, flags);
}

static ssize_t control_sendto(int file, const void *from, size_t size, int flags,
                              const struct sockaddr *address, socklen_t length) {
  tm_seat *s = tm_seat_here();
  if (!s || !goes_in_parts(s, "sendto", file, flags, __builtin_frame_address(0)))
    return TM_TRUE(sendto)(file, from, size, flags, address, length);
  if (!address) return send_all(s, file, from, size, flags);
  if (!tm_file_await(s, file, POLLOUT)) return -1;
  return TM_TRUE(sendto)(file, from, size, flags, address, length);
}

/* Sends what is left of the parts, the first `done` bytes of which are sent. */
static ssize_t send_rest(tm_seat *s, int file, const struct iovec *parts, size_t count,
                         size_t done, int flags) {
  size_t passed = 0;
  for (size_t i = 0; i < count; i++) {
    size_t begun = done > passed ? done - passed : 0, size = parts[i].iov_len;
    passed += size;
    if (begun >= size) continue;
    ssize_t result = send_all(s, file, (const char *)parts[i].iov_base + begun, size - begun,
                              flags);
    if (result < 0) return done ? (ssize_t)done : -1;
    done += (size_t)result;
    if ((size_t)result < size - begun) break;
  }
  return (ssize_t)done;
}

static ssize_t control_writev(int file, const struct iovec *parts, int count) {
  tm_seat *s = tm_seat_here();
  if (!s || !goes_in_parts(s, "writev", file, 0, __builtin_frame_address(0)))
    return TM_TRUE(writev)(file, parts, count);
  return send_rest(s, file, parts, count > 0 ? (size_t)count : 0, 0, 0);
}

static ssize_t control_sendmsg(int file, const struct msghdr *message, int flags) {
  tm_seat *s = tm_seat_here();
  if (!s || !goes_in_parts(s, "sendmsg", file, flags, __builtin_frame_address(0)))
    return TM_TRUE(sendmsg)(file, message, flags);
  for (;;) {
    if (!tm_file_await(s, file, POLLOUT)) return -1;
    ssize_t sent = TM_TRUE(sendmsg)(file, message, flags | MSG_DONTWAIT);
    if (had_no_room(sent) && !tm_is_ready(file, POLLOUT)) continue;
    if (sent < 0) return sent;
    return send_rest(s, file, message->msg_iov, message->msg_iovlen, (size_t)sent, flags);
  }
}

/* Calls that make a file ready, and do not wait. */
#define WAKING(type, name, parameters, arguments)                      \
  static type control_##name parameters {                              \
    tm_seat *s = tm_seat_here();                                       \
    if (s) tm_file_point(s, TM_STEP_SEND, file);                       \
    return TM_TRUE(name) arguments;                                    \
  }

WAKING(int, shutdown, (int file, int how), (file, how))
WAKING(int, epoll_ctl, (int set, int what, int file, struct epoll_event *event),
       (set, what, file, event))

/* Waits if the counter is at its end. */
static int control_eventfd_write(int file, eventfd_t value) {
  tm_seat *s = tm_seat_here();
  if (s && tm_file_never_waits(file, 0)) tm_file_point(s, TM_STEP_SEND, file);
  else if (s) tm_file_await(s, file, POLLOUT);
  return TM_TRUE(eventfd_write)(file, value);
}

static int control_close(int file) {
  tm_seat *s = tm_seat_here();
  if (s) {
    int kept = errno;
    tm_file_point(s, TM_STEP_CLOSE, file);
    tm_timer_file_forget(file);
    errno = kept;
  }
  return TM_TRUE(close)(file);
}

/* Connecting. */

/* Waits until the connection is made, or has failed. */
static int await_connection(tm_seat *s, int file) {
  int failure = 0;
  socklen_t size = sizeof failure;
  if (!tm_file_await(s, file, POLLOUT)) return -1;
  syscall(SYS_getsockopt, file, SOL_SOCKET, SO_ERROR, &failure, &size);
  errno = failure;
  return failure ? -1 : 0;
}

/* A connection that waits is made without waiting inside the call. While the listener's line is
 * full, the flow asks again. */
static int control_connect(int file, const struct sockaddr *address, socklen_t length) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(connect)(file, address, length);
  tm_file_point(s, TM_STEP_SEND, file);
  long flags = syscall(SYS_fcntl, file, F_GETFL);
  bool waits = flags >= 0 && !(flags & O_NONBLOCK);
  int result;
  for (;;) {
    if (waits) syscall(SYS_fcntl, file, F_SETFL, flags | O_NONBLOCK);
    result = TM_TRUE(connect)(file, address, length);
    int failure = errno;
    if (waits) syscall(SYS_fcntl, file, F_SETFL, flags);
    errno = failure;
    if (!waits || result == 0 || failure != EAGAIN) break;
    tm_control_rest(s);
  }
  if (waits && result != 0 && errno == EINPROGRESS) result = await_connection(s, file);
  tm_file_count(s, "connect", file, __builtin_frame_address(0));
  return result;
}

void tm_control_take_sending(struct tm_real *r) {
#define TAKE(name) r->name = (void *)control_##name;
  TAKE(write) TAKE(writev) TAKE(send) TAKE(sendto) TAKE(sendmsg) TAKE(shutdown) TAKE(epoll_ctl)
  TAKE(eventfd_write) TAKE(close) TAKE(connect)
}

TM_GATE_CODE_END
#endif
