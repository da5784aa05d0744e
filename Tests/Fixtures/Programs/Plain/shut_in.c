/* A program that can open no file any more, and then takes two mutexes in opposite orders. The
 * argument says what keeps it from that; "fork" and "exec" are about its children. */
#define _GNU_SOURCE
#include "meeting.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t brush = PTHREAD_MUTEX_INITIALIZER, ladder = PTHREAD_MUTEX_INITIALIZER;
static atomic_int painted;

__attribute__((noinline)) void paint(void) {
  pthread_mutex_lock(&brush);
  pthread_mutex_lock(&ladder);
  pthread_mutex_unlock(&ladder);
  pthread_mutex_unlock(&brush);
}

__attribute__((noinline)) void wash(void) {
  pthread_mutex_lock(&ladder);
  pthread_mutex_lock(&brush);
  pthread_mutex_unlock(&brush);
  pthread_mutex_unlock(&ladder);
}

static void *painter(void *unused) {
  paint();
  arrive(&painted);
  return unused;
}

static void *washer(void *unused) {
  await(&painted, 1);
  wash();
  return unused;
}

static void quarrel(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, painter, NULL);
  pthread_create(&threads[1], NULL, washer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

enum { NOBODY = 65534, NOT_ALLOWED = 77 };

static int limit(int resource) {
  struct rlimit none = {0, 0};
  return setrlimit(resource, &none);
}

static int shut_in(const char *how) {
  if (strcmp(how, "user") == 0) return setresuid(NOBODY, NOBODY, NOBODY);
  if (strcmp(how, "root") == 0) return chroot("/proc/self") != 0 || chdir("/") != 0;
  if (strcmp(how, "descriptors") == 0) return limit(RLIMIT_NOFILE);
  if (strcmp(how, "file-sizes") == 0) return limit(RLIMIT_FSIZE);
  return 0;
}

/* A child that executes this program again, without a limit of its own, after the parent has set
 * one. */
static int starts(char **arguments) {
  int status;
  if (limit(RLIMIT_FSIZE) != 0) return NOT_ALLOWED;
  pid_t child = fork();
  if (child == 0) {
    execl(arguments[0], arguments[0], "free", arguments[2], (char *)NULL);
    _exit(96);
  }
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 95;
  return WEXITSTATUS(status);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  if (strcmp(arguments[1], "exec") == 0) return starts(arguments);
  if (shut_in(arguments[1]) != 0) return NOT_ALLOWED;
  quarrel();
  return atoi(arguments[2]);
}
