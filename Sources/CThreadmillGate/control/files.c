#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "control/timer_files.h"
#include "ground/now.h"
#include "ground/real.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

TM_GATE_CODE_BEGIN

/* Reading, and what all calls on files share. The real call is made when it cannot block. */

const char tm_control_files = 0;

bool tm_file_step(tm_seat *s, tm_step_kind kind, const tm_file_wait *w, uint64_t due) {
  tm_flow *f = s->flow;
  f->reach = w->reach, f->file = w->file + 1;
  bool ready = tm_control_step(s, kind, &tm_control_files, w->ready, w->with, due);
  f->reach = NULL, f->file = 0;
  return ready;
}

void tm_file_point(tm_seat *s, tm_step_kind kind, int file) {
  tm_file_step(s, kind, &(tm_file_wait){.file = file}, 0);
}

uint64_t tm_file_due(const struct timespec *limit) {
  if (!limit) return 0;
  uint64_t due = tm_control_now() + (uint64_t)limit->tv_sec * TM_SECOND + (uint64_t)limit->tv_nsec;
  return due ? due : 1;
}

bool tm_file_never_waits(int file, int flags) {
  return flags & MSG_DONTWAIT || syscall(SYS_fcntl, file, F_GETFL) & O_NONBLOCK;
}

void tm_file_asked(tm_seat *s, bool in_vain) {
  enum { MANY = 64 };
  tm_flow *f = s->flow;
  f->in_vain = in_vain ? f->in_vain + 1 : 0;
  if (f->in_vain < MANY) return;
  f->in_vain = 0;
  int kept = errno;
  tm_control_rest(s);
  errno = kept;
}

/* Waiting for one file. */

typedef struct one {
  int file;
  short events;
} one;

static tm_answer is_ready(const tm_flow *f) {
  const one *it = f->with;
  return tm_is_ready(it->file, it->events) ? TM_YES : TM_NO;
}

static tm_reach reach_of_one(const tm_flow *f) {
  const one *it = f->with;
  return tm_file_reach(it->file, it->events & POLLOUT);
}

/* The time limit that the program has set for calls on a socket. */
static uint64_t own_due(int file, short events) {
  struct timeval limit = {0, 0};
  socklen_t size = sizeof limit;
  int name = events & POLLOUT ? SO_SNDTIMEO : SO_RCVTIMEO;
  if (syscall(SYS_getsockopt, file, SOL_SOCKET, name, &limit, &size) != 0) return 0;
  struct timespec exact = {limit.tv_sec, limit.tv_usec * 1000};
  return exact.tv_sec || exact.tv_nsec ? tm_file_due(&exact) : 0;
}

bool tm_file_await(tm_seat *s, int file, short events) {
  one it = {file, events};
  tm_file_wait w = {is_ready, reach_of_one, &it, file};
  int kept = errno;
  uint64_t due = own_due(file, events);
  tm_step_kind kind = events & POLLOUT ? TM_STEP_SEND : TM_STEP_RECEIVE;
  bool ready = tm_file_step(s, kind, &w, due);
  errno = ready ? kept : EAGAIN;
  return ready;
}

/* Files that were looked at, by their numbers. Only the thread with the turn uses the table. */
typedef struct known {
  dev_t device;
  ino_t inode;
  uint32_t schedule;
  bool outside;
} known;
enum { KNOWN = 256 };
static known files[KNOWN];

static bool is_outside(int file) {
  struct stat it;
  if (syscall(SYS_fstat, file, &it) != 0) return false;
  bool kept = S_ISFIFO(it.st_mode) || S_ISSOCK(it.st_mode);
  known *k = &files[(unsigned)file % KNOWN];
  bool same = k->inode == it.st_ino && k->device == it.st_dev;
  if (kept && same && k->schedule == tm_control_schedule()) return k->outside;
  bool outside = tm_file_reach(file, false) == TM_REACH_OUTSIDE;
  *k = (known){it.st_dev, it.st_ino, tm_control_schedule(), outside};
  return outside;
}

void tm_file_count(tm_seat *s, const char *name, int file, void *frame) {
  int kept = errno;
  if (s->counts && is_outside(file)) tm_control_passed(name, frame);
  errno = kept;
}

/* Reading. */

/* Makes the step of a call that takes something from the file. Returns false, with `errno` set, if
 * the real call is not to be made. */
static bool receive(tm_seat *s, const char *name, int file, int flags, void *frame) {
  tm_file_count(s, name, file, frame);
  if (!tm_file_never_waits(file, flags)) return tm_file_await(s, file, POLLIN);
  tm_file_point(s, TM_STEP_RECEIVE, file);
  return true;
}

static void received(tm_seat *s, ssize_t result) {
  tm_file_asked(s, result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

/* `taken` is the real call. */
#define TAKING(type, name, parameters, arguments, flags)                         \
  static type control_##name parameters {                                        \
    tm_seat *s = tm_seat_here();                                                 \
    if (!s) return TM_TRUE(name) arguments;                                      \
    if (!receive(s, #name, file, flags, __builtin_frame_address(0))) return -1;  \
    type result = TM_TRUE(name) arguments;                                       \
    received(s, result);                                                         \
    return result;                                                               \
  }

static ssize_t control_read(int file, void *to, size_t size) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(read)(file, to, size);
  if (!receive(s, "read", file, 0, __builtin_frame_address(0))) return -1;
  ssize_t result = TM_TRUE(read)(file, to, size);
  if (result == sizeof(uint64_t)) tm_timer_file_read(file, to);
  received(s, result);
  return result;
}

TAKING(ssize_t, readv, (int file, const struct iovec *to, int count), (file, to, count), 0)
TAKING(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags),
       flags)
TAKING(int, accept,
       (int file, struct sockaddr *restrict address, socklen_t *restrict length),
       (file, address, length), 0)
TAKING(int, accept4,
       (int file, struct sockaddr *restrict address, socklen_t *restrict length, int flags),
       (file, address, length, flags), 0)
TAKING(int, eventfd_read, (int file, eventfd_t *value), (file, value), 0)

/* Receives as much as was asked for, if the flags say so. */
static ssize_t control_recvfrom(int file, void *restrict to, size_t size, int flags,
                                struct sockaddr *restrict address, socklen_t *restrict length) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(recvfrom)(file, to, size, flags, address, length);
  bool all = flags & MSG_WAITALL && !(flags & MSG_PEEK) && !tm_file_never_waits(file, flags);
  size_t taken = 0;
  for (;;) {
    if (!receive(s, "recvfrom", file, flags, __builtin_frame_address(0)))
      return taken ? (ssize_t)taken : -1;
    ssize_t result = TM_TRUE(recvfrom)(file, (char *)to + taken, size - taken,
                                       all ? flags & ~MSG_WAITALL : flags, address, length);
    received(s, result);
    if (!all || result <= 0) return taken ? (ssize_t)taken : result;
    taken += (size_t)result;
    if (taken == size) return (ssize_t)taken;
  }
}

static ssize_t control_recv(int file, void *to, size_t size, int flags) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(recv)(file, to, size, flags);
  return control_recvfrom(file, to, size, flags, NULL, NULL);
}

void tm_control_take_files(struct tm_real *r) {
#define TAKE(name) r->name = (void *)control_##name;
  TAKE(read) TAKE(readv) TAKE(recv) TAKE(recvfrom) TAKE(recvmsg) TAKE(accept) TAKE(accept4)
  TAKE(eventfd_read)
}

TM_GATE_CODE_END
#endif
