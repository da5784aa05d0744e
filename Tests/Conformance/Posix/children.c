/* Processes that begin or go on in seldom ways. clone(2), vfork(2), execve(2), daemon(3). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { CHILDS_STATUS = 7 };

static int ending_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : CONFORMANCE_SIGNAL + WTERMSIG(status);
}

/* By the system call alone: no handler of libc's is called. */
static pid_t fork_without_libc(void) {
  return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static void without_libc(void) {
  pthread_mutex_lock(&first);
  pid_t child = fork_without_libc();
  if (child == 0) {
    pthread_mutex_unlock(&first);
    for (int round = 0; round < 100; round++) take_forth(NULL);
    take_back(NULL);
    _exit(CHILDS_STATUS);
  }
  pthread_mutex_unlock(&first);
  EXPECT(ending_of(child), CHILDS_STATUS);
}

static atomic_int over;

static void *take_until_over(void *unused) {
  while (!atomic_load(&over)) {
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_lock(&fresh);
    pthread_mutex_unlock(&fresh);
    pthread_mutex_unlock(&own);
  }
  return unused;
}

/* Whatever the other thread holds at that moment, in whatever library, the child goes on. */
static void without_libc_among_threads(void) {
  pthread_t busy = conformance_start(take_until_over, NULL);
  int failures = 0;
  for (int round = 0; round < 50; round++) {
    pid_t child = fork_without_libc();
    if (child == 0) {
      pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
      pthread_mutex_lock(&outer);
      pthread_mutex_lock(&inner);
      _exit(CHILDS_STATUS);
    }
    failures += ending_of(child) != CHILDS_STATUS;
  }
  EXPECT(failures, 0);
  atomic_store(&over, 1);
  pthread_join(busy, NULL);
}

/* The child uses the memory of its parent, which waits. */
static void vforked_with_locks(void) {
  pid_t child = vfork();
  if (child == 0) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    _exit(CHILDS_STATUS);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
  take_forth(NULL);
}

static void vforked_to_nowhere(void) {
  static char *const arguments[] = {"nothing", NULL};
  pid_t child = vfork();
  if (child == 0) {
    execve("/no/such/file", arguments, environ);
    _exit(errno == ENOENT ? CHILDS_STATUS : 1);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
  take_opposite_orders();
  _exit(conformance_failures());
}

/* A process that leaves its session, its terminal and its streams, as servers do. */
static void become_daemon(void *page) {
  atomic_int *done = page;
  if (daemon(0, 0) != 0) _exit(1);
  take_opposite_orders();
  atomic_store(done, CHILDS_STATUS);
  _exit(0);
}

static void a_daemon(void) {
  atomic_int *done = conformance_map();
  EXPECT(conformance_child(become_daemon, done), 0);
  conformance_await(done, CHILDS_STATUS);
}

/* A tree of processes, each with threads of its own. */
static void bear(void *depth) {
  take_opposite_orders();
  int left = (int)(long)depth;
  if (left > 0) {
    pid_t child = fork();
    if (child == 0) {
      bear((void *)(long)(left - 1));
      _exit(CHILDS_STATUS);
    }
    if (ending_of(child) != CHILDS_STATUS) _exit(1);
  }
}

static void ten_generations(void) {
  pid_t child = fork();
  if (child == 0) {
    bear((void *)10L);
    _exit(CHILDS_STATUS);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
}

/* Other programs in place of this one. */

static void *hold_for_ever(void *tid) {
  pthread_mutex_lock(&first);
  atomic_store((atomic_int *)tid, gettid());
  for (;;) pause();
}

static void exec_while_held(void) {
  pid_t child = fork();
  if (child == 0) {
    static char *const arguments[] = {"sh", "-c", "exit 7", NULL};
    atomic_int tid = 0;
    conformance_start(hold_for_ever, &tid);
    conformance_await(&tid, 1);
    execve("/bin/sh", arguments, environ);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
}

static void *replace(void *unused) {
  static char *const arguments[] = {"sh", "-c", "exit 7", NULL};
  execve("/bin/sh", arguments, environ);
  return unused;
}

static void exec_from_thread(void) {
  pid_t child = fork();
  if (child == 0) {
    pthread_join(conformance_start(replace, NULL), NULL);
    _exit(1);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
}

/* Starts this very program for the case `begun`, after `prepare`. */
static void begin_again(void (*prepare)(void), char *const environment[]) {
  char *const arguments[] = {"conformance", "exec.begun", NULL};
  pid_t child = fork();
  if (child == 0) {
    if (prepare) prepare();
    execve("/proc/self/exe", arguments, environment);
    _exit(1);
  }
  EXPECT(ending_of(child), CHILDS_STATUS);
}

static void begun(void) {
  take_opposite_orders();
  _exit(CHILDS_STATUS);
}

static void set_limit(int what, rlim_t most) {
  struct rlimit limit = {most, most};
  if (setrlimit(what, &limit) != 0) _exit(1);
}

static void close_streams(void) { close_range(0, 2, 0); }
static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}
static void ignore_signals(void) {
  for (int number = 1; number < SIGRTMIN; number++) signal(number, SIG_IGN);
}
static void limit_files(void) {
  close_range(3, ~0U, 0);
  set_limit(RLIMIT_NOFILE, 4);
}
static void limit_file_size(void) { set_limit(RLIMIT_FSIZE, 0); }
static void limit_stack(void) { set_limit(RLIMIT_STACK, 192 << 10); }
static void become_nobody(void) {
  if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0) _exit(1);
}

static void begun_without_streams(void) { begin_again(close_streams, environ); }
static void begun_with_blocked_signals(void) { begin_again(block_signals, environ); }
static void begun_with_ignored_signals(void) { begin_again(ignore_signals, environ); }
static void begun_with_four_files(void) { begin_again(limit_files, environ); }
static void begun_without_files_to_write(void) { begin_again(limit_file_size, environ); }
static void begun_on_a_little_stack(void) { begin_again(limit_stack, environ); }
static void begun_by_nobody(void) { begin_again(become_nobody, environ); }
static void begun_without_environment(void) {
  char *const none[] = {NULL};
  begin_again(NULL, none);
}

/* Stopped and continued while it begins, to its end. A process that is stopped again as soon as it
   goes on hardly moves, and nothing says that it has moved: each piece has a moment of its own. */
static void begun_in_pieces(void) {
  enum { MICROSECONDS = 50 };
  char *const arguments[] = {"conformance", "exec.begun", NULL};
  pid_t child = fork();
  if (child == 0) {
    execve("/proc/self/exe", arguments, environ);
    _exit(1);
  }
  int status = 0;
  while (kill(child, SIGSTOP) == 0 && waitpid(child, &status, WUNTRACED) == child &&
         WIFSTOPPED(status)) {
    kill(child, SIGCONT);
    usleep(MICROSECONDS);
  }
  EXPECT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, CHILDS_STATUS);
}

const conformance_case child_cases[] = {
    {"child.without-libc", without_libc, 0, "it cannot know of such a child"},
    {"child.without-libc-among-threads", without_libc_among_threads, 0,
     "it cannot know of such a child"},
    {"child.vforked-with-locks", vforked_with_locks, 0, "it takes vfork for fork"},
    {"child.vforked-to-nowhere", vforked_to_nowhere},
    {"child.daemon", a_daemon},
    {"child.ten-generations", ten_generations},
    {"exec.while-held", exec_while_held},
    {"exec.from-thread", exec_from_thread},
    {"exec.begun", begun, CHILDS_STATUS},
    {"exec.without-streams", begun_without_streams},
    {"exec.with-blocked-signals", begun_with_blocked_signals},
    {"exec.with-ignored-signals", begun_with_ignored_signals},
    {"exec.with-four-files", begun_with_four_files},
    {"exec.without-files-to-write", begun_without_files_to_write, 0, "it needs a file to begin"},
    {"exec.on-a-little-stack", begun_on_a_little_stack, 0, "it needs a larger one"},
    {"exec.by-nobody", begun_by_nobody},
    {"exec.without-environment", begun_without_environment},
    {"exec.in-pieces", begun_in_pieces},
    {NULL},
};
