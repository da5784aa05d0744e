/* Other processes: fork in the middle, spawn, vfork, system. fork(2), pthread_atfork(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUSY_THREADS = 3, FORKS = 20 };

extern char **environ;

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t busy_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int stop;

/* Takes new pairs of new locks all the time, so that a fork finds the thread anywhere. */
static void *keep_busy(void *unused) {
  while (atomic_load(&stop) == 0) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, NULL);
    pthread_mutex_lock(&busy);
    pthread_mutex_lock(&own);
    pthread_rwlock_rdlock(&busy_rwlock);
    pthread_rwlock_unlock(&busy_rwlock);
    pthread_mutex_unlock(&own);
    pthread_mutex_unlock(&busy);
    pthread_mutex_destroy(&own);
  }
  return unused;
}

static int lock_own(void *unused) {
  (void)unused;
  pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
  int failures = 0;
  for (int round = 0; round < 100; round++) {
    failures += pthread_mutex_lock(&first) != 0;
    failures += pthread_mutex_lock(&second) != 0;
    failures += pthread_mutex_unlock(&second) != 0;
    failures += pthread_mutex_unlock(&first) != 0;
  }
  return failures;
}

static void live_as_child(void *unused) {
  EXPECT(lock_own(unused), 0);
  EXPECT(conformance_elsewhere(lock_own, NULL), 0);
  exit(conformance_failures());
}

/* Children of a process whose other threads hold locks, and locks only: each of them lives. */
static void fork_among_threads(void) {
  pthread_t threads[BUSY_THREADS];
  for (int index = 0; index < BUSY_THREADS; index++) {
    threads[index] = conformance_start(keep_busy, NULL);
  }
  for (int round = 0; round < FORKS; round++) EXPECT(conformance_child(live_as_child, NULL), 0);
  atomic_store(&stop, 1);
  for (int index = 0; index < BUSY_THREADS; index++) pthread_join(threads[index], NULL);
}

static void unlock_as_child(void *mutex) {
  EXPECT_CODE(conformance_elsewhere(probe, mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(mutex));
  EXPECT_OK(pthread_mutex_lock(mutex));
  EXPECT_OK(pthread_mutex_unlock(mutex));
  EXPECT_CODE(conformance_elsewhere(probe, mutex), 0);
}

/* The child's thread is a copy of the one that forked, and holds what that one held. */
static void fork_while_holding(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  EXPECT(conformance_child(unlock_as_child, &mutex), 0);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

static pthread_mutex_t atfork_mutex = PTHREAD_MUTEX_INITIALIZER;
static char atfork_trace[8];

static void mark(char letter) {
  size_t length = 0;
  while (atfork_trace[length] != '\0') length++;
  atfork_trace[length] = letter;
}

static void prepare_first(void) {
  pthread_mutex_lock(&atfork_mutex);
  mark('p');
}

static void prepare_second(void) { mark('q'); }

static void after_fork(void) {
  mark('a');
  pthread_mutex_unlock(&atfork_mutex);
}

static void look_as_child(void *unused) {
  (void)unused;
  conformance_text("trace", atfork_trace, "qpa");
  EXPECT_OK(pthread_mutex_trylock(&atfork_mutex));
}

static void atfork_handlers(void) {
  pthread_atfork(prepare_first, after_fork, after_fork);
  pthread_atfork(prepare_second, NULL, NULL);
  EXPECT(conformance_child(look_as_child, NULL), 0);
  conformance_text("trace", atfork_trace, "qpa");
  EXPECT_OK(pthread_mutex_trylock(&atfork_mutex));
}

static void fork_again(void *mutex) {
  EXPECT_OK(pthread_mutex_lock(mutex));
  EXPECT(conformance_child(unlock_as_child, mutex), 0);
}

static void grandchild(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  EXPECT(conformance_child(fork_again, &mutex), 0);
  EXPECT_OK(pthread_mutex_trylock(&mutex));
}

/* The forking thread is the child's only one: when its function returns, the process ends with 0.
 */
static void *fork_and_return(void *result) {
  pid_t child = fork();
  if (child == 0) return NULL;
  int status = -1;
  waitpid(child, &status, 0);
  *(int *)result = WIFEXITED(status) ? WEXITSTATUS(status) : CONFORMANCE_SIGNAL + WTERMSIG(status);
  return result;
}

static void fork_from_thread(void) {
  int ending = -1;
  pthread_join(conformance_start(fork_and_return, &ending), NULL);
  EXPECT(ending, 0);
}

static void spawned(void) {
  char *arguments[] = {"sh", "-c", "exit 3", NULL};
  pid_t child = -1;
  EXPECT_CODE(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ), 0);
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child, true);
  EXPECT(WEXITSTATUS(status), 3);
  EXPECT_CODE(posix_spawn(&child, "/no/such/file", NULL, NULL, arguments, environ), ENOENT);
}

static void vforked(void) {
  static char *const arguments[] = {"sh", "-c", "exit 4", NULL};
  pthread_mutex_lock(&busy);
  pid_t child = vfork();
  if (child == 0) {
    execve("/bin/sh", arguments, environ);
    _exit(127);
  }
  EXPECT_OK(pthread_mutex_unlock(&busy));
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child, true);
  EXPECT(WEXITSTATUS(status), 4);
}

static void shell(void) {
  EXPECT(WEXITSTATUS(system("exit 5")), 5);
  FILE *stream = popen("echo hello", "r");
  char line[16] = "";
  EXPECT(stream != NULL && fgets(line, sizeof line, stream) != NULL, true);
  line[5] = '\0';
  conformance_text("line", line, "hello");
  EXPECT(pclose(stream), 0);
}

const conformance_case process_cases[] = {
    {"process.fork-among-threads", fork_among_threads, 0,
     "the runtime forbids threads in the child of a process with threads"},
    {"process.fork-while-holding", fork_while_holding},
    {"process.atfork-handlers", atfork_handlers},
    {"process.grandchild", grandchild},
    {"process.fork-from-thread", fork_from_thread, 0,
     "its thread state is gone when the only thread of the child ends"},
    {"process.spawned", spawned},
    {"process.vforked", vforked},
    {"process.shell", shell},
    {NULL},
};
