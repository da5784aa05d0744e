#define _GNU_SOURCE
#include "endings.h"
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *text, size_t length) {
  if (write(STDOUT_FILENO, text, length) < 0) _exit(99);
}

int ends_by_sigterm(void) {
  kill(getpid(), SIGTERM);
  for (;;) pause();
}

int ends_by_abort(void) { abort(); }

int ends_by_breakpoint(void) {
  __builtin_debugtrap();
  return 0;
}

int ends_by_segmentation_fault(void) {
  volatile int *volatile nowhere = NULL;
  return *nowhere;
}

/* The first instruction of its line, and the only one. */
int ends_by_trap(void) {
  dprintf(STDOUT_FILENO, "%d", __LINE__ + 1);
  __builtin_trap();
}

static int abort_now(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info, (void)size, (void)context;
  abort();
}

int ends_by_abort_under_the_linkers_lock(void) { return dl_iterate_phdr(abort_now, NULL); }

static void handle(int number) {
  (void)number;
  say("handled\n", 8);
}

int goes_on_with_own_handler(void) {
  struct sigaction mine = {.sa_handler = handle};
  sigemptyset(&mine.sa_mask);
  sigaction(SIGTERM, &mine, NULL);
  raise(SIGTERM);
  return 0;
}

static struct sigaction before;

/* As well-behaved libraries do it. */
static void handle_and_pass_on(int number, siginfo_t *info, void *context) {
  say("handled\n", 8);
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

int chains_to_the_handler_before(void) {
  struct sigaction mine = {.sa_sigaction = handle_and_pass_on, .sa_flags = SA_SIGINFO};
  sigemptyset(&mine.sa_mask);
  sigaction(SIGTERM, &mine, &before);
  kill(getpid(), SIGTERM);
  for (;;) pause();
}

int goes_on_ignoring(void) {
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  say("survived\n", 9);
  return 0;
}

/* With continue=true each of them is told, and the report is written each time. */
int relocks_for_ever(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  for (;;) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
  }
}
