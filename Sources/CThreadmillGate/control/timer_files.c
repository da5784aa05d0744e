#ifdef __linux__
#include "ground/base.h"
#include "control/timer_files.h"
#include "control/model.h"
#include "ground/pool.h"
#include <poll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The real timer is never set to end in the future. When virtual time has come to its moment, it is
 * set so that it ends at once, and the kernel then makes its file ready. */

static tm_timer_file *timer_files;

static tm_timer_file **timer_file_place(int file) {
  tm_timer_file **at = &timer_files;
  while (*at && (*at)->file != file) at = &(*at)->next;
  return at;
}

static void forget_timer_file(tm_timer_file **at) {
  tm_timer_file *c = *at;
  *at = c->next;
  tm_pool_give(c, sizeof *c);
}

void tm_timer_file_forget(int file) {
  tm_timer_file **at = timer_file_place(file);
  if (*at) forget_timer_file(at);
}

void tm_timer_files_forget(void) {
  while (timer_files) forget_timer_file(&timer_files);
}

uint64_t tm_timer_files_due(void) {
  uint64_t next = 0;
  for (const tm_timer_file *c = timer_files; c; c = c->next)
    if (c->due && !c->ended && (!next || c->due < next)) next = c->due;
  return next;
}

/* Sets the real timer so that it ends at once, or not at all. */
static void set(int file, bool ends) {
  struct itimerspec when = {{0, 0}, {0, ends}};
  syscall(SYS_timerfd_settime, file, 0, &when, NULL);
}

void tm_timer_files_expire(void) {
  for (tm_timer_file *c = timer_files; TM_UNLIKELY(c != NULL); c = c->next) {
    if (!c->due || c->ended || c->due > tm_control_now()) continue;
    c->ended = true;
    set(c->file, true);
    /* The kernel ends the timer in an interrupt, a moment later. */
    struct pollfd it = {c->file, POLLIN, 0};
    struct timespec limit = {1, 0};
    syscall(SYS_ppoll, &it, 1l, &limit, NULL, 0l);
  }
}

void tm_timer_file_read(int file, void *count) {
  tm_timer_file *c = *timer_file_place(file);
  if (!c || !c->ended) return;
  uint64_t ends = 1;
  if (c->interval) ends += (tm_control_now() - c->due) / c->interval;
  c->due = c->interval ? c->due + ends * c->interval : 0;
  c->ended = false;
  tm_copy(count, &ends, sizeof ends);
}

tm_timer_file *tm_timer_file_of(int file) { return *timer_file_place(file); }

tm_timer_file *tm_timer_file_make(int file) {
  tm_timer_file **at = timer_file_place(file);
  if (!*at && (*at = tm_pool_take(sizeof(tm_timer_file)))) (*at)->file = file;
  return *at;
}

TM_GATE_CODE_END
#endif
