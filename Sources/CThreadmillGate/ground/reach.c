#ifdef __linux__
#include "ground/base.h"
#include "ground/reach.h"
#include "ground/proc.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { NESTED_SETS = 4 }; /* epoll sets within each other */

/* The files of this process. */

typedef bool (*file_visitor)(int file, void *context); /* returns true when it has found its file */

static bool visit_list(const char *list, long length, file_visitor visit, void *context) {
  for (long at = 0; at < length; at += ((const tm_proc_entry *)(list + at))->size) {
    const char *name = ((const tm_proc_entry *)(list + at))->name;
    bool is_number = *name >= '0' && *name <= '9';
    if (is_number && visit((int)tm_proc_number(&name), context)) return true;
  }
  return false;
}

static bool any_file(file_visitor visit, void *context) {
  _Alignas(tm_proc_entry) char list[TM_PROC_TEXT];
  long length, folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_CLOEXEC);
  if (folder < 0) return false;
  bool found = false;
  while (!found && (length = syscall(SYS_getdents64, folder, list, sizeof list)) > 0)
    found = visit_list(list, length, visit, context);
  syscall(SYS_close, folder);
  return found;
}

/* A child may have inherited the other end of a pipe or socket. */
bool tm_has_children(void) {
  return syscall(SYS_waitid, P_ALL, 0, NULL, WEXITED | WNOHANG | WNOWAIT, NULL) == 0;
}

static bool read_status(int file, struct stat *status) {
  return syscall(SYS_fstat, file, status) == 0;
}

/* Pipes. */

typedef struct end_search {
  struct stat pipe;
  int mode; /* of the other end */
} end_search;

static bool is_other_end(int file, void *context) {
  const end_search *s = context;
  struct stat it;
  if (!read_status(file, &it) || it.st_ino != s->pipe.st_ino || it.st_dev != s->pipe.st_dev)
    return false;
  int mode = (int)syscall(SYS_fcntl, file, F_GETFL) & O_ACCMODE;
  return mode == O_RDWR || mode == s->mode;
}

static tm_reach reach_of_pipe(const struct stat *status, bool writes) {
  end_search s = {*status, writes ? O_RDONLY : O_WRONLY};
  return any_file(is_other_end, &s) && !tm_has_children() ? TM_REACH_INSIDE : TM_REACH_OUTSIDE;
}

/* Sockets. */

typedef union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_storage room;
} address;

static bool name_of(int file, long call, address *a) {
  socklen_t size = sizeof *a;
  tm_clear(a, sizeof *a);
  return syscall(call, file, a, &size) == 0;
}

static int option(int file, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return syscall(SYS_getsockopt, file, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

static uint32_t last_word(const address *a) {
  uint32_t word;
  tm_copy(&word, &a->v6.sin6_addr.s6_addr[12], sizeof word);
  return word;
}

/* The macros of the C library for these call functions that Thread Sanitizer instruments. */
static bool is_mapped(const address *a) {
  static const uint8_t start[12] = {[10] = 0xff, [11] = 0xff};
  return a->any.sa_family == AF_INET6 && tm_same(a->v6.sin6_addr.s6_addr, start, sizeof start);
}

static bool is_loopback_6(const address *a) {
  static const uint8_t loopback[16] = {[15] = 1};
  return tm_same(a->v6.sin6_addr.s6_addr, loopback, sizeof loopback);
}

/* Returns whether the address is one of this machine's own, 127.0.0.0/8 or ::1. */
static bool is_loopback(const address *a) {
  if (a->any.sa_family == AF_INET6 && !is_mapped(a)) return is_loopback_6(a);
  uint32_t word = is_mapped(a) ? last_word(a) : a->v4.sin_addr.s_addr;
  return *(const uint8_t *)&word == 127; /* the network's order: the first byte counts most */
}

/* The port is at the same place in both kinds of address. */
static bool has_same_port(const address *a, const address *b) {
  return a->v4.sin_port == b->v4.sin_port;
}

typedef struct peer_search {
  address peer;
} peer_search;

/* Returns whether the socket has the peer's address, or listens there and has not accepted the
 * connection yet. */
static bool is_peer(int file, void *context) {
  const peer_search *s = context;
  address own;
  int domain = option(file, SO_DOMAIN);
  if ((domain != AF_INET && domain != AF_INET6) || !name_of(file, SYS_getsockname, &own))
    return false;
  return has_same_port(&own, &s->peer);
}

static tm_reach reach_of_internet(int file) {
  peer_search s;
  address own;
  if (name_of(file, SYS_getpeername, &s.peer)) {
    bool inside = is_loopback(&s.peer) && any_file(is_peer, &s);
    return inside ? TM_REACH_LATE : TM_REACH_OUTSIDE;
  }
  bool local = name_of(file, SYS_getsockname, &own) && is_loopback(&own);
  return local ? TM_REACH_LATE : TM_REACH_OUTSIDE;
}

static bool is_sending(int file, void *context) {
  (void)context;
  int left = 0, domain = option(file, SO_DOMAIN);
  if (domain != AF_INET && domain != AF_INET6) return false;
  return option(file, SO_ACCEPTCONN) == 0 && syscall(SYS_ioctl, file, TIOCOUTQ, &left) == 0 &&
         left > 0;
}

bool tm_network_is_busy(void) { return any_file(is_sending, NULL); }

/* The kernel keeps the process that connected or made the pair. */
static tm_reach reach_of_local(int file) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  if (option(file, SO_ACCEPTCONN) == 1) return TM_REACH_INSIDE;
  if (syscall(SYS_getsockopt, file, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return TM_REACH_OUTSIDE;
  bool own = peer.pid == 0 || peer.pid == (pid_t)syscall(SYS_getpid);
  return own && !tm_has_children() ? TM_REACH_INSIDE : TM_REACH_OUTSIDE;
}

static tm_reach reach_of_socket(int file) {
  switch (option(file, SO_DOMAIN)) {
  case AF_UNIX: return reach_of_local(file);
  case AF_INET:
  case AF_INET6: return reach_of_internet(file);
  default: return TM_REACH_OUTSIDE;
  }
}

/* Files that the kernel makes without a name: eventfd, timerfd, epoll. */

static tm_reach reach(int file, bool writes, int depth);

/* A timer that is set goes by a real clock. The Scheduler sets none (control/timer_files.c). */
static tm_reach reach_of_timer(const char *value) {
  value = tm_proc_blanks(value);
  if (*value == '(') value++;
  uint64_t seconds = tm_proc_number(&value);
  if (*value == ',') value++;
  return seconds == 0 && tm_proc_number(&value) == 0 ? TM_REACH_INSIDE : TM_REACH_OUTSIDE;
}

/* A set is as far as its members. A list that was cut may lack one. */
static tm_reach reach_of_set(const char *info, int depth) {
  tm_reach most = TM_REACH_INSIDE;
  if (tm_length(info, TM_PROC_TEXT) >= TM_PROC_TEXT - 1) return TM_REACH_OUTSIDE;
  for (const char *m = tm_proc_after(info, "tfd:"); m; m = tm_proc_after(m, "tfd:")) {
    tm_reach one = depth == NESTED_SETS ? TM_REACH_OUTSIDE
                                        : reach((int)tm_proc_number(&m), false, depth + 1);
    if (one > most) most = one;
  }
  return most;
}

static bool is_named(const char *text, const char *name) {
  size_t length = tm_length(name, TM_PROC_PATH);
  return tm_length(text, TM_PROC_PATH) >= length && tm_same(text, name, length);
}

/* Reads the text behind the file's link, such as "anon_inode:[eventfd]". */
static void read_link(int file, char link[TM_PROC_PATH]) {
  char path[TM_PROC_PATH];
  tm_proc_path(path, "fd/", (unsigned)file, "");
  long length = file < 0 ? 0 : syscall(SYS_readlinkat, AT_FDCWD, path, link, TM_PROC_PATH - 1);
  link[length > 0 ? length : 0] = 0;
}

static tm_reach reach_of_nameless(int file, int depth) {
  char link[TM_PROC_PATH], path[TM_PROC_PATH], info[TM_PROC_TEXT];
  read_link(file, link);
  if (is_named(link, "anon_inode:[eventfd]")) return TM_REACH_INSIDE;
  tm_proc_path(path, "fdinfo/", (unsigned)file, "");
  if (!tm_proc_read(path, info)) return TM_REACH_OUTSIDE;
  const char *value = tm_proc_after(info, "it_value:");
  if (is_named(link, "anon_inode:[timerfd]") && value) return reach_of_timer(value);
  bool is_set = is_named(link, "anon_inode:[eventpoll]");
  return is_set ? reach_of_set(info, depth) : TM_REACH_OUTSIDE;
}

static tm_reach reach(int file, bool writes, int depth) {
  struct stat status;
  if (!read_status(file, &status)) return TM_REACH_INSIDE; /* no file: nothing is waited for */
  if (S_ISFIFO(status.st_mode)) return reach_of_pipe(&status, writes);
  if (S_ISSOCK(status.st_mode)) return reach_of_socket(file);
  return status.st_mode & S_IFMT ? TM_REACH_OUTSIDE : reach_of_nameless(file, depth);
}

tm_reach tm_file_reach(int file, bool writes) { return reach(file, writes, 0); }

void tm_file_name(int file, char name[TM_FILE_NAME]) {
  static const char *const links[][2] = {{"pipe:", "pipe "},
                                         {"socket:", "socket "},
                                         {"anon_inode:[eventfd]", "eventfd "},
                                         {"anon_inode:[timerfd]", "timerfd "},
                                         {"anon_inode:[eventpoll]", "epoll "}};
  char link[TM_PROC_PATH], digits[12];
  const char *kind = "file ";
  uint32_t at = 0, count = 0;
  read_link(file, link);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    if (is_named(link, links[i][0])) kind = links[i][1];
  while (*kind) name[at++] = *kind++;
  for (unsigned rest = file < 0 ? 0 : (unsigned)file; count == 0 || rest; rest /= 10)
    digits[count++] = (char)('0' + rest % 10);
  while (count) name[at++] = digits[--count];
  name[at] = 0;
}

TM_GATE_CODE_END
#endif
