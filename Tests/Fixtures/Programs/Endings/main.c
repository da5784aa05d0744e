/* One ending in one process, with a quarrel before it or without. Threadmill is linked and never
 * called. */
#include "endings.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int returns_0(void) { return 0; }
static int returns_3(void) { return 3; }

static void *sleeper(void *unused) {
  for (;;) pause();
  return unused;
}
static int leaves_a_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, sleeper, NULL);
}

static int says_whether_it_has_a_run(void) {
  puts(getenv("THREADMILL_RUN") ? "a run" : "no run");
  return 0;
}

static const struct {
  const char *name;
  int (*run)(void);
} endings[] = {
    {"return-0", returns_0},
    {"return-3", returns_3},
    {"threads", leaves_a_thread},
    {"run", says_whether_it_has_a_run},
    {"sigterm", ends_by_sigterm},
    {"abort", ends_by_abort},
    {"segmentation-fault", ends_by_segmentation_fault},
    {"breakpoint", ends_by_breakpoint},
    {"trap", ends_by_trap},
    {"abort-with-many-words", ends_by_abort_with_many_words},
    {"many-pools", has_many_pools},
    {"abort-under-linker-lock", ends_by_abort_under_the_linkers_lock},
    {"own-handler", goes_on_with_own_handler},
    {"chained-handler", chains_to_the_handler_before},
    {"ignored-signal", goes_on_ignoring},
    {"relocks", relocks_for_ever},
    {"fork", forks_while_others_hold_locks},
    {"fork-exec", forks_and_executes},
    {"exec", executes},
    {"system", starts_a_shell},
    {"cancelled", quarrels_when_cancelled},
    {"full-files", returns_with_full_files},
    {"no-reader", returns_without_reader},
};

int main(int count, char **arguments) {
  for (size_t i = 0; count == 3 && i < sizeof endings / sizeof *endings; i++) {
    if (strcmp(arguments[2], endings[i].name) != 0) continue;
    if (strcmp(arguments[1], "guilty") == 0) quarrel();
    return endings[i].run();
  }
  fputs("usage: endings guilty|innocent ENDING\n", stderr);
  return 2;
}
