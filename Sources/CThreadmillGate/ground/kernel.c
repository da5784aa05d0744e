#ifdef __linux__
#include "ground/base.h"
#include "ground/kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { TEXT = 4096, PATH = 64, POLLED = 16, NESTED = 2 };

/* "/proc/self/" before, after `number`, `rest`. */
static void make_path(char path[PATH], const char *before, unsigned number, const char *rest) {
  char digits[12];
  uint32_t count = 0, at = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  const char *start = "/proc/self/";
  while (*start) path[at++] = *start++;
  while (*before) path[at++] = *before++;
  while (count) path[at++] = digits[--count];
  while (*rest) path[at++] = *rest++;
  path[at] = 0;
}

/* Reads the file as a text, cut if it is long. Returns false if it cannot be read. */
static bool read_text(const char *path, char text[TEXT]) {
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  long length = 0, count;
  while (length < TEXT - 1 &&
         (count = syscall(SYS_read, file, text + length, TEXT - 1 - length)) > 0)
    length += count;
  syscall(SYS_close, file);
  text[length] = 0;
  return length > 0;
}

/* Returns the text after the word; NULL if the text lacks the word. */
static const char *after(const char *text, const char *word) {
  for (; *text; text++) {
    uint32_t i = 0;
    while (word[i] && text[i] == word[i]) i++;
    if (!word[i]) return text + i;
  }
  return NULL;
}

static const char *skip_blanks(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/* Reads a number, decimal or after 0x, and moves on behind it. */
static uint64_t number(const char **text) {
  const char *at = skip_blanks(*text);
  uint64_t value = 0;
  bool hex = at[0] == '0' && at[1] == 'x';
  for (at += hex ? 2 : 0;; at++) {
    unsigned digit = *at >= '0' && *at <= '9'          ? (unsigned)(*at - '0')
                     : hex && *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a' + 10)
                                                       : 99;
    if (digit == 99) break;
    value = value * (hex ? 16 : 10) + digit;
  }
  *text = at;
  return value;
}

static void read_call(int tid, tm_task *task) {
  char path[PATH], text[TEXT];
  make_path(path, "task/", (unsigned)tid, "/syscall");
  task->known = read_text(path, text) && text[0] >= '0' && text[0] <= '9';
  if (!task->known) return;
  const char *at = text;
  task->call = (long)number(&at);
  for (int i = 0; i < 6; i++) task->arguments[i] = number(&at);
}

bool tm_task_read(int tid, tm_task *task) {
  char path[PATH], text[TEXT];
  tm_clear(task, sizeof *task);
  make_path(path, "task/", (unsigned)tid, "/status");
  if (!read_text(path, text)) return false;
  const char *state = after(text, "\nState:");
  const char *voluntary = after(text, "\nvoluntary_ctxt_switches:");
  const char *forced = after(text, "\nnonvoluntary_ctxt_switches:");
  if (!state || !voluntary || !forced) return false;
  task->asleep = *skip_blanks(state) == 'S';
  task->switches = number(&voluntary);
  task->switches += number(&forced);
  if (task->asleep) read_call(tid, task);
  return true;
}

/* The main thread that has ended stays in the list, as a zombie, for as long as the process. */
bool tm_task_has_ended(int tid) {
  char path[PATH], text[TEXT];
  make_path(path, "task/", (unsigned)tid, "/status");
  if (!read_text(path, text)) return errno == ENOENT || errno == ESRCH;
  const char *state = after(text, "\nState:");
  char letter = state ? *skip_blanks(state) : 'R';
  return letter == 'Z' || letter == 'X';
}

/* An entry of a folder, as the kernel writes it. */
typedef struct entry {
  uint64_t inode;
  int64_t next;
  unsigned short size;
  unsigned char type;
  char name[];
} entry;

/* Adds up to `limit` living threads to the count. */
static uint32_t count_living(const char *list, long length, uint32_t count, uint32_t limit) {
  for (long at = 0; at < length && count < limit; at += ((const entry *)(list + at))->size) {
    const char *name = ((const entry *)(list + at))->name;
    unsigned tid = (unsigned)number(&name);
    if (tid != 0 && !tm_task_has_ended((int)tid)) count++;
  }
  return count;
}

/* Counts the living threads of this process, but not beyond the limit. */
static uint32_t count_tasks(uint32_t limit) {
  _Alignas(entry) char list[TEXT];
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
  const char *value = after(info, "it_value:");
  if (!value) return false;
  value = skip_blanks(value);
  if (*value == '(') value++;
  uint64_t seconds = number(&value);
  if (*value == ',') value++;
  return seconds == 0 && number(&value) == 0;
}

/* Returns whether nothing outside the process can make the file ready: it is an eventfd, which only
 * threads write to, a timer that is not set, or an epoll set of these files. */
static bool is_dead(int file, bool timers, int depth) {
  char path[PATH], info[TEXT];
  make_path(path, "fdinfo/", (unsigned)file, "");
  if (file < 0 || !read_text(path, info)) return false;
  if (after(info, "eventfd-count:")) return true;
  if (after(info, "it_value:")) return !timers || is_unset_timer(info);
  const char *member = after(info, "tfd:");
  if (!member) {
    char link[PATH];
    static const char set[] = "anon_inode:[eventpoll]";
    make_path(path, "fd/", (unsigned)file, "");
    long length = syscall(SYS_readlinkat, AT_FDCWD, path, link, PATH);
    return length == sizeof set - 1 && tm_same(link, set, sizeof set - 1);
  }
  for (; member; member = after(member, "tfd:"))
    if (depth == NESTED || !is_dead((int)number(&member), timers, depth + 1)) return false;
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
