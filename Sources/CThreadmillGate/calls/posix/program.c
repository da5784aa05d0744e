/* The begin and the end of a program that is explored as a whole. Other programs begin as they do
 * without Threadmill. */
#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "threadmill_control.h"
#include <dlfcn.h>
#include <stdlib.h>

TM_GATE_CODE_BEGIN

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

static struct {
  main_function *main;
  int count;
  char **arguments, **environment;
} program;

static void note_exit(int status, void *unused) {
  (void)status, (void)unused;
  tm_exits = true;
}

void tm_program_run(void) {
  tm_self->ground.inside = 0;
  /* Handlers run in the reverse order: this one after those of the main function, and before the
   * loader's, in which a sanitizer's library looks for leaks. */
  on_exit(note_exit, NULL);
  int status = program.main(program.count, program.arguments, program.environment);
  tm_program_ends((uintptr_t)program.main + 1);
  exit(status);
}

static int run_main(int count, char **arguments, char **environment) {
  program.count = count, program.arguments = arguments, program.environment = environment;
  if (!tm_program_is_explored()) return program.main(count, arguments, environment);
  tm_program_starts();
  return 0;
}

/* libc's start of a program. The frame of `run_main` appears in programs only that are to be
 * explored: a gate that is linked into the program has not read its options yet. */
TM_EXPORT int __libc_start_main(main_function *main, int count, char **arguments,
                                void (*begin)(void), void (*end)(void), void (*loader_end)(void),
                                void *stack_end) {
  start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  const char *request = getenv(TM_PROGRAM_VARIABLE);
  bool is_explored = tm_program_is_explored() || (request && *request);
  program.main = main;
  return start(is_explored ? run_main : main, count, arguments, begin, end, loader_end, stack_end);
}

TM_GATE_CODE_END
#endif
