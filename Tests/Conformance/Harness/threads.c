/* Threads, children and clocks that the cases are made of. */
#include "conformance.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, SECONDS_UNTIL_A_CHILD_HANGS = 300 };

pthread_t conformance_start(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0) abort();
  return thread;
}

typedef struct {
  int (*body)(void *);
  void *argument;
  int result;
} errand;

static void *run_errand(void *argument) {
  errand *task = argument;
  task->result = task->body(task->argument);
  return NULL;
}

int conformance_elsewhere(int (*body)(void *), void *argument) {
  errand task = {.body = body, .argument = argument};
  pthread_join(conformance_start(run_errand, &task), NULL);
  return task.result;
}

void conformance_yield(void) { sched_yield(); }

void conformance_await(const atomic_int *flag, int value) {
  while (atomic_load(flag) < value) sched_yield();
}

/* The letter after the last ')' of /proc/TID/stat. */
static char state_of(int tid) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/stat", tid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file == -1) return 'S';
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = '\0';
  const char *end = strrchr(text, ')');
  return end == NULL ? 'S' : end[2];
}

void conformance_until_asleep(int tid) {
  while (state_of(tid) != 'S') sched_yield();
}

struct timespec conformance_from_now(clockid_t clock, long milliseconds) {
  struct timespec moment;
  clock_gettime(clock, &moment);
  moment.tv_sec += milliseconds / 1000;
  moment.tv_nsec += milliseconds % 1000 * 1000000;
  if (moment.tv_nsec < 0) {
    moment.tv_sec -= 1;
    moment.tv_nsec += 1000000000;
  } else if (moment.tv_nsec >= 1000000000) {
    moment.tv_sec += 1;
    moment.tv_nsec -= 1000000000;
  }
  return moment;
}

bool conformance_reached(clockid_t clock, struct timespec moment) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec != moment.tv_sec ? now.tv_sec > moment.tv_sec : now.tv_nsec >= moment.tv_nsec;
}

int conformance_child(void (*body)(void *), void *argument) {
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS_UNTIL_A_CHILD_HANGS);
    int before = conformance_failures();
    body(argument);
    _exit(conformance_failures() == before ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : CONFORMANCE_SIGNAL + WTERMSIG(status);
}

void *conformance_map(void) {
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) abort();
  return page;
}

void conformance_unmap(void *page) { munmap(page, PAGE); }

enum { HOLDING = 1, LETTING_GO = 2 };

static void *holder_body(void *argument) {
  conformance_holder *holder = argument;
  holder->acquire(holder->object);
  atomic_store(&holder->stage, HOLDING);
  conformance_await(&holder->stage, LETTING_GO);
  holder->release(holder->object);
  return NULL;
}

void conformance_hold(conformance_holder *holder) {
  atomic_store(&holder->stage, 0);
  holder->thread = conformance_start(holder_body, holder);
  conformance_await(&holder->stage, HOLDING);
}

void conformance_let_go(conformance_holder *holder) {
  atomic_store(&holder->stage, LETTING_GO);
  pthread_join(holder->thread, NULL);
}
