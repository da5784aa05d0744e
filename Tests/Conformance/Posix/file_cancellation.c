/* Cancellation in calls that wait for files, processes and signals. pthreads(7). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int quiet[2], server, poller;
static pid_t sleeper;
static atomic_int tid, cleaned, passed;

/* A pair of connected sockets on which nothing comes, a socket to which nobody connects, an epoll
 * instance for the pair, and a child that does not end by itself. */
static void prepare(void) {
  struct sockaddr name = {AF_UNIX, ""};
  struct epoll_event event = {.events = EPOLLIN};
  EXPECT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, quiet));
  EXPECT((server = socket(AF_UNIX, SOCK_STREAM, 0)) >= 0, true);
  EXPECT_OK(bind(server, &name, sizeof(sa_family_t)));
  EXPECT_OK(listen(server, 1));
  EXPECT((poller = epoll_create1(0)) >= 0, true);
  EXPECT_OK(epoll_ctl(poller, EPOLL_CTL_ADD, quiet[0], &event));
}

static void clean(void *unused) {
  (void)unused;
  take_forth(NULL);
  atomic_fetch_add(&cleaned, 1);
}

/* Cancels a thread once it sleeps in `body`; afterwards the process uses locks as before. */
static void cancel_in(void *(*body)(void *)) {
  prepare();
  pthread_t thread = conformance_start(body, NULL);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  EXPECT_CODE(pthread_cancel(thread), 0);
  void *value = NULL;
  EXPECT_OK(pthread_join(thread, &value));
  EXPECT(value == PTHREAD_CANCELED, true);
  EXPECT(cleaned, 1);
  EXPECT(passed, 0);
  take_forth(NULL);
}

/* A case: a thread is cancelled in `call`. */
#define CANCELLED_IN(name, call)                  \
  static void *name##_body(void *unused) {        \
    char room[16] = "";                           \
    (void)room;                                   \
    pthread_cleanup_push(clean, NULL);            \
    atomic_store(&tid, gettid());                 \
    call;                                         \
    atomic_store(&passed, 1);                     \
    pthread_cleanup_pop(0);                       \
    return unused;                                \
  }                                               \
  static void name(void) { cancel_in(name##_body); }

static void poll_for_ever(void) {
  struct pollfd one = {.fd = quiet[0], .events = POLLIN};
  poll(&one, 1, -1);
}
static void ppoll_for_ever(void) {
  struct pollfd one = {.fd = quiet[0], .events = POLLIN};
  ppoll(&one, 1, NULL, NULL);
}
static fd_set only_quiet(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(quiet[0], &set);
  return set;
}
static void select_for_ever(void) {
  fd_set set = only_quiet();
  select(quiet[0] + 1, &set, NULL, NULL, NULL);
}
static void pselect_for_ever(void) {
  fd_set set = only_quiet();
  pselect(quiet[0] + 1, &set, NULL, NULL, NULL, NULL);
}
static void receive_message(char *room) {
  struct iovec part = {room, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  recvmsg(quiet[0], &message, 0);
}
static void wait_for_events(int with_mask) {
  struct epoll_event event;
  if (with_mask) epoll_pwait(poller, &event, 1, -1, NULL);
  else epoll_wait(poller, &event, 1, -1);
}
static void wait_for_signal(void) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &number);
}

CANCELLED_IN(in_read, read(quiet[0], room, 1))
CANCELLED_IN(in_recv, recv(quiet[0], room, 1, 0))
CANCELLED_IN(in_recvfrom, recvfrom(quiet[0], room, 1, 0, NULL, NULL))
CANCELLED_IN(in_recvmsg, receive_message(room))
CANCELLED_IN(in_accept, accept(server, NULL, NULL))
CANCELLED_IN(in_accept4, accept4(server, NULL, NULL, SOCK_CLOEXEC))
CANCELLED_IN(in_poll, poll_for_ever())
CANCELLED_IN(in_ppoll, ppoll_for_ever())
CANCELLED_IN(in_select, select_for_ever())
CANCELLED_IN(in_pselect, pselect_for_ever())
CANCELLED_IN(in_epoll_wait, wait_for_events(0))
CANCELLED_IN(in_epoll_pwait, wait_for_events(1))
CANCELLED_IN(in_sigwait, wait_for_signal())
CANCELLED_IN(in_pause, pause())
CANCELLED_IN(in_waitpid, waitpid(sleeper, NULL, 0))

static void in_waiting_for_a_child(void) {
  sleeper = fork();
  if (sleeper == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  in_waitpid();
  EXPECT_OK(kill(sleeper, SIGKILL));
  int status = 0;
  EXPECT(waitpid(sleeper, &status, 0) == sleeper && WTERMSIG(status) == SIGKILL, true);
}

/* Thread Sanitizer takes the handler's work for a part of the call. */
#define NOT_UNDER_TSAN "its call is not over while the handlers run"

const conformance_case file_cancellation_cases[] = {
    {"cancellation.read", in_read, 0, NOT_UNDER_TSAN},
    {"cancellation.recv", in_recv, 0, NOT_UNDER_TSAN},
    {"cancellation.recvfrom", in_recvfrom, 0, NOT_UNDER_TSAN},
    {"cancellation.recvmsg", in_recvmsg, 0, NOT_UNDER_TSAN},
    {"cancellation.accept", in_accept, 0, NOT_UNDER_TSAN},
    {"cancellation.accept4", in_accept4, 0, NOT_UNDER_TSAN},
    {"cancellation.poll", in_poll, 0, NOT_UNDER_TSAN},
    {"cancellation.ppoll", in_ppoll, 0, NOT_UNDER_TSAN},
    {"cancellation.select", in_select, 0, NOT_UNDER_TSAN},
    {"cancellation.pselect", in_pselect, 0, NOT_UNDER_TSAN},
    {"cancellation.epoll-wait", in_epoll_wait, 0, NOT_UNDER_TSAN},
    {"cancellation.epoll-pwait", in_epoll_pwait, 0, NOT_UNDER_TSAN},
    {"cancellation.sigwait", in_sigwait, 0, NOT_UNDER_TSAN},
    {"cancellation.pause", in_pause, 0, NOT_UNDER_TSAN},
    {"cancellation.waitpid", in_waiting_for_a_child, 0, "it lets no wait for a child be cancelled"},
    {NULL},
};
