/* Programs that stand still, for good or by design; the first argument says how. If there is a
 * second one, it names a file that gets the process's number before the last wait begins. The waits
 * that end take 33 s: longer than the 30 s of a hang, or 3 s if SHORT is set. */
#include "meeting.h"
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *file;
static sem_t bell;

static void take_time(void) { sleep(getenv("SHORT") ? 3 : 33); }

static void say_ready(void) {
  char temporary[4096];
  if (!file) return;
  snprintf(temporary, sizeof temporary, "%s.new", file);
  FILE *out = fopen(temporary, "w");
  if (!out) exit(97);
  fprintf(out, "%d", (int)getpid());
  fclose(out);
  if (rename(temporary, file) != 0) exit(96);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int waiting;

/* A thread of a pool: it has nothing to do. */
static void *idle(void *unused) {
  pthread_mutex_lock(&lock);
  arrive(&waiting);
  for (;;) pthread_cond_wait(&work, &lock);
  return unused;
}

static void start_pool(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
  }
  await(&waiting, 2);
}

__attribute__((noinline)) static void wait_for_bell(void) {
  while (sem_wait(&bell) != 0) continue;
}

/* No thread is left that could ring. */
static int stands_for_good(void) {
  start_pool();
  say_ready();
  wait_for_bell();
  return 0;
}

/* A file that only another process writes to, as a socket of a server. */
static int outside(void) {
  int ends[2];
  if (pipe(ends) != 0) return 95;
  if (fork() == 0) {
    close(ends[0]);
    take_time();
    _exit(write(ends[1], "x", 1) == 1 ? 0 : 94);
  }
  close(ends[1]);
  return ends[0];
}

static int polls(void) {
  start_pool();
  struct pollfd polled = {.fd = outside(), .events = POLLIN};
  say_ready();
  return poll(&polled, 1, -1) == 1 ? 0 : 93;
}

static int loops(void) {
  start_pool();
  int set = epoll_create1(0), own = eventfd(0, 0), other = outside();
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, own, &event);
  epoll_ctl(set, EPOLL_CTL_ADD, other, &event);
  say_ready();
  return epoll_wait(set, &event, 1, -1) == 1 ? 0 : 92;
}

static int reads(void) {
  start_pool();
  char byte;
  int other = outside();
  say_ready();
  return read(other, &byte, 1) == 1 ? 0 : 91;
}

static int sleeps(void) {
  start_pool();
  say_ready();
  take_time();
  return 0;
}

/* The semaphore is another process's as well. */
static int shares(void) {
  sem_t *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(shared, 1, 0);
  pid_t child = fork();
  if (child == 0) {
    take_time();
    _exit(sem_post(shared));
  }
  while (sem_wait(shared) != 0) continue;
  return waitpid(child, NULL, 0) == child ? 0 : 90;
}

static void ring(int number) {
  (void)number;
  sem_post(&bell);
}

/* A signal is to end the wait. */
static int awaits_signal(void) {
  signal(SIGUSR1, ring);
  pid_t parent = getpid();
  if (fork() == 0) {
    take_time();
    _exit(kill(parent, SIGUSR1));
  }
  start_pool();
  wait_for_bell();
  return 0;
}

/* The program deals with SIGINT itself. */
static int handles(void) {
  signal(SIGINT, ring);
  start_pool();
  say_ready();
  wait_for_bell();
  return 5;
}

/* The program is not to be interrupted, and is. */
static int ignores(void) {
  signal(SIGINT, SIG_IGN);
  signal(SIGUSR1, ring);
  pid_t parent = getpid();
  if (fork() == 0) {
    take_time();
    _exit(kill(parent, SIGINT) != 0 || kill(parent, SIGUSR1) != 0);
  }
  start_pool();
  wait_for_bell();
  return 0;
}

static const struct {
  const char *name;
  int (*run)(void);
} ways[] = {
    {"for-good", stands_for_good},
    {"poll", polls},
    {"event-loop", loops},
    {"read", reads},
    {"sleep", sleeps},
    {"shared", shares},
    {"signal", awaits_signal},
    {"own-handler", handles},
    {"ignored", ignores},
};

int main(int count, char **arguments) {
  sem_init(&bell, 0, 0);
  if (count > 2) file = arguments[2];
  for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(arguments[1], ways[i].name) == 0) return ways[i].run();
  fputs("usage: stands WAY [FILE]\n", stderr);
  return 2;
}
