#include "endings.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 98;
  return WEXITSTATUS(status);
}

static pthread_mutex_t held[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int holders;
static atomic_bool forked;

static void *hold(void *lock) {
  pthread_mutex_lock(lock);
  atomic_fetch_add(&holders, 1);
  while (!atomic_load(&forked)) sched_yield();
  pthread_mutex_unlock(lock);
  return NULL;
}

/* What a child of a threaded program does with locks of its own; POSIX promises less. */
static void work_in_child(void) {
  static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
  }
  quarrel();
  if (write(STDOUT_FILENO, "child done\n", 11) < 0) exit(97);
}

int forks_while_others_hold_locks(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, hold, &held[i]);
  while (atomic_load(&holders) < 2) sched_yield();
  pid_t child = fork();
  if (child == 0) {
    work_in_child();
    exit(0);
  }
  atomic_store(&forked, true);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return status_of(child);
}

int forks_and_executes(void) {
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "echo child done; exit 7", (char *)NULL);
    _exit(96);
  }
  return status_of(child);
}

int executes(void) {
  execl("/bin/sh", "sh", "-c", "echo child done; exit 7", (char *)NULL);
  return 96;
}

int starts_a_shell(void) {
  int status = system("echo child done; exit 7");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}
