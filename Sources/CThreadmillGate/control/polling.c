#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "control/run_loops.h"
#include "ground/now.h"
#include "ground/real.h"
#include <errno.h>
#include <sys/epoll.h>
#include <sys/select.h>

TM_GATE_CODE_BEGIN

/* Waiting for one of several files. The real call is made without waiting, when a file is ready or
 * the virtual time limit has passed. */

static const struct timespec at_once = {0, 0};

static struct timespec from_milliseconds(int limit) {
  return (struct timespec){limit / 1000, (long)(limit % 1000) * TM_MILLISECOND};
}

/* Makes the step. A limit that has passed already makes it one that does not wait. */
static void wait_for(tm_seat *s, const tm_file_wait *w, const struct timespec *limit) {
  if (limit && !limit->tv_sec && !limit->tv_nsec) return tm_file_point(s, TM_STEP_RECEIVE, w->file);
  tm_file_step(s, TM_STEP_WAIT, w, tm_file_due(limit));
}

static void polled(tm_seat *s, int result, const struct timespec *limit) {
  bool waits = !limit || limit->tv_sec || limit->tv_nsec;
  tm_file_asked(s, result == 0 && !waits);
}

/* poll */

typedef struct polled_files {
  struct pollfd *files;
  nfds_t count;
} polled_files;

static tm_answer any_is_ready(const tm_flow *f) {
  const polled_files *l = f->with;
  return tm_poll_now(l->files, l->count) != 0 ? TM_YES : TM_NO;
}

static tm_reach reach_of_list(const tm_flow *f) {
  const polled_files *l = f->with;
  tm_reach most = TM_REACH_INSIDE;
  for (nfds_t i = 0; i < l->count && most < TM_REACH_OUTSIDE; i++) {
    if (l->files[i].fd < 0) continue;
    bool writes = !(l->files[i].events & POLLIN) && l->files[i].events & POLLOUT;
    tm_reach one = tm_file_reach(l->files[i].fd, writes);
    if (one > most) most = one;
  }
  return most;
}

static void wait_for_list(tm_seat *s, struct pollfd *files, nfds_t count,
                          const struct timespec *limit) {
  polled_files l = {files, count};
  int named = count ? files[0].fd : -1;
  wait_for(s, &(tm_file_wait){any_is_ready, reach_of_list, &l, named}, limit);
}

static int control_ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit,
                         const sigset_t *mask) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(ppoll)(files, count, limit, mask);
  bool of_loop = count == 1 && tm_run_loop_waits(s, files->fd, !limit);
  if (!of_loop) wait_for_list(s, files, count, limit);
  int result = TM_TRUE(ppoll)(files, count, &at_once, mask);
  polled(s, result, limit);
  return result;
}

static int control_poll(struct pollfd *files, nfds_t count, int limit) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(poll)(files, count, limit);
  struct timespec exact = from_milliseconds(limit);
  wait_for_list(s, files, count, limit < 0 ? NULL : &exact);
  int result = TM_TRUE(poll)(files, count, 0);
  polled(s, result, limit < 0 ? NULL : &exact);
  return result;
}

/* select */

typedef struct sets {
  int count;
  const fd_set *readable, *writable, *failed;
} sets;

static tm_answer set_is_ready(const tm_flow *f) {
  const sets *w = f->with;
  fd_set copies[3];
  fd_set *given[3] = {NULL, NULL, NULL};
  int count = w->count < FD_SETSIZE ? w->count : FD_SETSIZE;
  size_t size = ((size_t)count + 63) / 64 * 8;
  const fd_set *wanted[3] = {w->readable, w->writable, w->failed};
  for (int i = 0; i < 3; i++) {
    if (!wanted[i]) continue;
    /* A set may be shorter than its type, or longer. */
    tm_copy(&copies[i], wanted[i], size);
    given[i] = &copies[i];
  }
  struct timespec none = {0, 0};
  return syscall(SYS_pselect6, count, given[0], given[1], given[2], &none, NULL) != 0 ? TM_YES
                                                                                        : TM_NO;
}

static tm_reach reach_of_sets(const tm_flow *f) {
  const sets *w = f->with;
  tm_reach most = TM_REACH_INSIDE;
  for (int file = 0; file < w->count && file < FD_SETSIZE; file++) {
    bool reads = w->readable && FD_ISSET(file, w->readable);
    bool writes = w->writable && FD_ISSET(file, w->writable);
    if (!reads && !writes) continue;
    tm_reach one = tm_file_reach(file, !reads);
    if (one > most) most = one;
  }
  return most;
}

static int first_of(const sets *w) {
  for (int file = 0; file < w->count && file < FD_SETSIZE; file++)
    if ((w->readable && FD_ISSET(file, w->readable)) ||
        (w->writable && FD_ISSET(file, w->writable)))
      return file;
  return -1;
}

static void wait_for_sets(tm_seat *s, const sets *w, const struct timespec *limit) {
  wait_for(s, &(tm_file_wait){set_is_ready, reach_of_sets, w, first_of(w)}, limit);
}

static int control_pselect(int count, fd_set *restrict readable, fd_set *restrict writable,
                           fd_set *restrict failed, const struct timespec *restrict limit,
                           const sigset_t *restrict mask) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pselect)(count, readable, writable, failed, limit, mask);
  sets w = {count, readable, writable, failed};
  wait_for_sets(s, &w, limit);
  int result = TM_TRUE(pselect)(count, readable, writable, failed, &at_once, mask);
  polled(s, result, limit);
  return result;
}

static int control_select(int count, fd_set *restrict readable, fd_set *restrict writable,
                          fd_set *restrict failed, struct timeval *restrict limit) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(select)(count, readable, writable, failed, limit);
  struct timespec exact = {0, 0};
  if (limit) exact = (struct timespec){limit->tv_sec, limit->tv_usec * 1000};
  sets w = {count, readable, writable, failed};
  wait_for_sets(s, &w, limit ? &exact : NULL);
  struct timeval none = {0, 0};
  int result = TM_TRUE(select)(count, readable, writable, failed, &none);
  polled(s, result, limit ? &exact : NULL);
  return result;
}

/* epoll */

static tm_answer set_has_events(const tm_flow *f) {
  return tm_is_ready((int)(intptr_t)f->with, POLLIN) ? TM_YES : TM_NO;
}

static tm_reach reach_of_set(const tm_flow *f) {
  return tm_file_reach((int)(intptr_t)f->with, false);
}

static void wait_for_events(tm_seat *s, int set, const struct timespec *limit) {
  wait_for(s,
           &(tm_file_wait){set_has_events, reach_of_set, (const void *)(intptr_t)set, set}, limit);
}

static int control_epoll_wait(int set, struct epoll_event *events, int count, int limit) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(epoll_wait)(set, events, count, limit);
  struct timespec exact = from_milliseconds(limit);
  wait_for_events(s, set, limit < 0 ? NULL : &exact);
  int result = TM_TRUE(epoll_wait)(set, events, count, 0);
  polled(s, result, limit < 0 ? NULL : &exact);
  return result;
}

static int control_epoll_pwait(int set, struct epoll_event *events, int count, int limit,
                               const sigset_t *mask) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(epoll_pwait)(set, events, count, limit, mask);
  struct timespec exact = from_milliseconds(limit);
  wait_for_events(s, set, limit < 0 ? NULL : &exact);
  int result = TM_TRUE(epoll_pwait)(set, events, count, 0, mask);
  polled(s, result, limit < 0 ? NULL : &exact);
  return result;
}

static int control_epoll_pwait2(int set, struct epoll_event *events, int count,
                                const struct timespec *limit, const sigset_t *mask) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(epoll_pwait2)(set, events, count, limit, mask);
  wait_for_events(s, set, limit);
  int result = TM_TRUE(epoll_pwait)(set, events, count, 0, mask);
  polled(s, result, limit);
  return result;
}

void tm_control_take_polling(struct tm_real *r) {
#define TAKE(name) r->name = (void *)control_##name;
  TAKE(poll) TAKE(ppoll) TAKE(select) TAKE(pselect) TAKE(epoll_wait) TAKE(epoll_pwait)
  TAKE(epoll_pwait2)
}

TM_GATE_CODE_END
#endif
