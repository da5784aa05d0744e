/* A program that uses up a stack: that of the main thread or of another one, or it comes back from
 * there by a handler on a stack of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int depth;

__attribute__((noinline)) int descend(volatile char *above) {
  volatile char here[1024];
  here[0] = above ? above[0] : 0;
  depth++;
  return descend(here) + here[0];
}

static void *thread(void *unused) {
  descend(NULL);
  return unused;
}

static sigjmp_buf surface;

static void surfaces(int number) {
  (void)number;
  siglongjmp(surface, 1);
}

static int comes_back(void) {
  static char room[64 * 1024];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, before;
  if (sigaltstack(&stack, &before) != 0 || before.ss_flags != SS_DISABLE) return 3;
  struct sigaction action = {.sa_handler = surfaces, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  return sigsetjmp(surface, 1) ? 0 : descend(NULL);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  if (strcmp(arguments[1], "back") == 0) return comes_back();
  if (strcmp(arguments[1], "main") == 0) return descend(NULL);
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  pthread_join(other, NULL);
  return 0;
}
