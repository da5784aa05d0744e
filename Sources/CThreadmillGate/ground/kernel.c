#ifdef __linux__
#include "ground/base.h"
#include "ground/kernel.h"
#include "ground/proc.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { POLLED = 16, NESTED_MEMBERS = 2 };

static void read_call(int tid, tm_task *task) {
  char path[TM_PROC_PATH], text[TM_PROC_TEXT];
  tm_proc_path(path, "task/", (unsigned)tid, "/syscall");
  task->known = tm_proc_read(path, text) && text[0] >= '0' && text[0] <= '9';
  if (!task->known) return;
  const char *at = text;
  task->call = (long)tm_proc_number(&at);
  for (int i = 0; i < 6; i++) task->arguments[i] = tm_proc_number(&at);
}

bool tm_task_read(int tid, tm_task *task) {
  char path[TM_PROC_PATH], text[TM_PROC_TEXT];
  tm_clear(task, sizeof *task);
  tm_proc_path(path, "task/", (unsigned)tid, "/status");
  if (!tm_proc_read(path, text)) return false;
  const char *state = tm_proc_after(text, "\nState:");
  const char *voluntary = tm_proc_after(text, "\nvoluntary_ctxt_switches:");
  const char *forced = tm_proc_after(text, "\nnonvoluntary_ctxt_switches:");
  if (!state || !voluntary || !forced) return false;
  task->asleep = *tm_proc_blanks(state) == 'S';
  task->switches = tm_proc_number(&voluntary);
  task->switches += tm_proc_number(&forced);
  if (task->asleep) read_call(tid, task);
  return true;
}

/* The main thread that has ended stays in the list, as a zombie, for as long as the process. */
bool tm_task_has_ended(int tid) {
  char path[TM_PROC_PATH], text[TM_PROC_TEXT];
  tm_proc_path(path, "task/", (unsigned)tid, "/status");
  if (!tm_proc_read(path, text)) return errno == ENOENT || errno == ESRCH;
  const char *state = tm_proc_after(text, "\nState:");
  char letter = state ? *tm_proc_blanks(state) : 'R';
  return letter == 'Z' || letter == 'X';
}

/* Adds up to `limit` living threads to the count. */
static uint32_t count_living(const char *list, long length, uint32_t count, uint32_t limit) {
  const tm_proc_entry *one;
  for (long at = 0; at < length && count < limit; at += one->size) {
    one = (const tm_proc_entry *)(list + at);
    const char *name = one->name;
    unsigned tid = (unsigned)tm_proc_number(&name);
    if (tid != 0 && !tm_task_has_ended((int)tid)) count++;
  }
  return count;
}

/* Counts the living threads of this process, but not beyond the limit. */
static uint32_t count_tasks(uint32_t limit) {
  _Alignas(tm_proc_entry) char list[TM_PROC_TEXT];
  long length, folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_CLOEXEC);
  if (folder < 0) return limit;
  uint32_t count = 0;
  while (count < limit && (length = syscall(SYS_getdents64, folder, list, sizeof list)) > 0)
    count = count_living(list, length, count, limit);
  syscall(SYS_close, folder);
  return count;
}

bool tm_task_is_alone(void) { return count_tasks(2) < 2; }

bool tm_tasks_are_more(uint32_t count) { return count_tasks(count + 1) > count; }

static bool is_unset_timer(const char *info) {
  const char *value = tm_proc_after(info, "it_value:");
  if (!value) return false;
  value = tm_proc_blanks(value);
  if (*value == '(') value++;
  uint64_t seconds = tm_proc_number(&value);
  if (*value == ',') value++;
  return seconds == 0 && tm_proc_number(&value) == 0;
}

/* Returns whether nothing outside the process can make the file ready: it is an eventfd, which only
 * threads write to, a timer that is not set, or an epoll set of these files. */
static bool is_dead(int file, bool timers, int depth) {
  char path[TM_PROC_PATH], info[TM_PROC_TEXT];
  tm_proc_path(path, "fdinfo/", (unsigned)file, "");
  if (file < 0 || !tm_proc_read(path, info)) return false;
  if (tm_proc_after(info, "eventfd-count:")) return true;
  if (tm_proc_after(info, "it_value:")) return !timers || is_unset_timer(info);
  const char *member = tm_proc_after(info, "tfd:");
  if (!member) {
    char link[TM_PROC_PATH];
    static const char set[] = "anon_inode:[eventpoll]";
    tm_proc_path(path, "fd/", (unsigned)file, "");
    long length = syscall(SYS_readlinkat, AT_FDCWD, path, link, TM_PROC_PATH);
    return length == sizeof set - 1 && tm_same(link, set, sizeof set - 1);
  }
  for (; member; member = tm_proc_after(member, "tfd:"))
    if (depth == NESTED_MEMBERS || !is_dead((int)tm_proc_number(&member), timers, depth + 1))
      return false;
  return true;
}

/* Names the process by this thread's number, not its own: if the main thread has ended, no memory
 * can be read by the process's number. */
bool tm_peek(const void *from, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)from, size};
  long self = syscall(SYS_gettid);
  return syscall(SYS_process_vm_readv, self, &here, 1L, &there, 1L, 0L) == (long)size;
}

bool tm_poke(void *to, const void *from, size_t size) {
  struct iovec here = {(void *)from, size}, there = {to, size};
  long self = syscall(SYS_gettid);
  return syscall(SYS_process_vm_writev, self, &here, 1L, &there, 1L, 0L) == (long)size;
}

/* Reads the list by `tm_peek`, because the thread may go on and free the memory. */
static bool are_polled_dead(uint64_t list, uint64_t count, bool timers) {
  struct pollfd polled[POLLED];
  if (count > POLLED) return false;
  if (!tm_peek((const void *)(uintptr_t)list, polled, count * sizeof *polled)) return false;
  for (uint64_t i = 0; i < count; i++)
    if (polled[i].fd >= 0 && !is_dead(polled[i].fd, timers, 0)) return false;
  return true;
}

bool tm_task_waits_in_private(const tm_task *task) {
  return task->known && task->call == SYS_futex && task->arguments[1] & FUTEX_PRIVATE_FLAG;
}

bool tm_task_waits_in_vain(const tm_task *task, bool timers) {
  const uint64_t *a = task->arguments;
  if (!task->known) return false;
  switch (task->call) {
  case SYS_futex:
  case SYS_rt_sigsuspend: return true;
#ifdef SYS_epoll_wait
  case SYS_epoll_wait:
#endif
  case SYS_epoll_pwait: return (int)a[3] < 0 && is_dead((int)a[0], timers, 0);
#ifdef SYS_poll
  case SYS_poll: return (int)a[2] < 0 && are_polled_dead(a[0], a[1], timers);
#endif
  case SYS_ppoll: return !a[2] && are_polled_dead(a[0], a[1], timers);
  default: return false;
  }
}

TM_GATE_CODE_END
#endif
