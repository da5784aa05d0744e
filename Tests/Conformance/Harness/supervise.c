/* The supervisor: one process per case, one line per case. */
#include "conformance.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  /* Long enough for any machine: only a hang ever takes so long. */
  SECONDS_UNTIL_A_HANG_ENDS = 300,
  FACTS_CAPACITY = 1 << 16,
};

extern char **environ;

bool conformance_built_with_tsan(void) {
#if __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
}

void conformance_begin(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  /* Who starts a program from a thread of libdispatch leaves it with all signals blocked. */
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  alarm(SECONDS_UNTIL_A_HANG_ENDS);
}

/* Starts this program again for one case; its standard output is the write end of the pipe. */
static pid_t spawn_case(const char *name, const int ends[2]) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  char *arguments[] = {"conformance", (char *)name, NULL};
  pid_t child = -1;
  int code = posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code == 0 ? child : -1;
}

/* Everything up to the end of the stream, with line ends turned into ", ". */
static void read_facts(int stream, char facts[FACTS_CAPACITY]) {
  size_t used = 0;
  char byte;
  while (read(stream, &byte, 1) == 1) {
    if (used + 3 > FACTS_CAPACITY) continue;
    if (byte != '\n') {
      facts[used++] = byte;
    } else {
      facts[used++] = ',';
      facts[used++] = ' ';
    }
  }
  facts[used >= 2 ? used - 2 : 0] = '\0';
}

/* A wrong fact starts with this word. */
static bool has_failure(const char *facts) {
  static const char word[] = "FAILED ";
  return strncmp(facts, word, sizeof word - 1) == 0 || strstr(facts, ", FAILED ") != NULL;
}

static int ending_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : CONFORMANCE_SIGNAL + WTERMSIG(status);
}

static void describe(int ending, char *words, size_t room) {
  if (ending >= CONFORMANCE_SIGNAL) {
    snprintf(words, room, "signal SIG%s", sigabbrev_np(ending - CONFORMANCE_SIGNAL));
  } else {
    snprintf(words, room, "exit %d", ending);
  }
}

/* Runs one case in its own process and prints its line. Returns whether all was as expected. */
static bool supervise(const conformance_case *candidate) {
  static char facts[FACTS_CAPACITY];
  if (candidate->unlike_tsan != NULL && conformance_built_with_tsan()) {
    printf("%s skipped: %s\n", candidate->name, candidate->unlike_tsan);
    return true;
  }
  int ends[2];
  if (pipe(ends) != 0) return false;
  pid_t child = spawn_case(candidate->name, ends);
  close(ends[1]);
  read_facts(ends[0], facts);
  close(ends[0]);
  int ending = child == -1 ? -1 : ending_of(child);
  char got[32], expected[32];
  describe(ending, got, sizeof got);
  describe(candidate->ends, expected, sizeof expected);
  bool right = ending == candidate->ends && !has_failure(facts);
  printf("%s %s %s; %s", candidate->name, right ? "ok" : "FAILED", facts, got);
  if (ending != candidate->ends) printf(" instead of %s", expected);
  printf("\n");
  fflush(stdout);
  return right;
}

static int supervise_all(const conformance_case *const *tables) {
  /* A case that dies on purpose needs no report of the Swift runtime. Races are not the subject
     here, and TSan's own deadlock detector gives up when a thread holds more than 128 locks. */
  setenv("SWIFT_BACKTRACE", "enable=no", 1);
  setenv("TSAN_OPTIONS", "report_bugs=0 detect_deadlocks=0 atexit_sleep_ms=0", 1);
  bool right = true;
  for (; *tables != NULL; tables++) {
    for (const conformance_case *each = *tables; each->name != NULL; each++) {
      right = supervise(each) && right;
    }
  }
  return right ? 0 : 1;
}

static int list_all(const conformance_case *const *tables) {
  for (; *tables != NULL; tables++) {
    for (const conformance_case *each = *tables; each->name != NULL; each++) {
      printf("%s\n", each->name);
    }
  }
  return 0;
}

int conformance_main(int argc, char **argv, const conformance_case *const *tables) {
  if (argc < 2) return supervise_all(tables);
  if (strcmp(argv[1], "list") == 0) return list_all(tables);
  for (; *tables != NULL; tables++) {
    for (const conformance_case *each = *tables; each->name != NULL; each++) {
      if (strcmp(each->name, argv[1]) != 0) continue;
      conformance_begin();
      each->body();
      return conformance_failures() == 0 ? 0 : 1;
    }
  }
  fprintf(stderr, "no case is called %s; `list` names them\n", argv[1]);
  return 2;
}
