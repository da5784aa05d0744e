#ifdef __linux__
/* Programs that a test binary starts, where `threadmill test` has preloaded the library.
 *
 * That command watches the test binary alone. Other programs get an environment without the
 * library, which would cost each of them its loading. The binary gets it again when it starts
 * itself, as an exit test does. */
#include "ground/base.h"
#include "calls/posix/file_call.h"
#include "ground/pool.h"
#include "ground/text.h"
#include "threadmill_gate.h"
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>

TM_GATE_CODE_BEGIN

#define LIBRARIES "LD_PRELOAD="
#define MARK TM_ONLY_VARIABLE "="

/* Written before main, and only read then. */
static struct {
  const char *program;
  char *libraries; /* the variable as the binary got it */
} own;

/* The first `length` bytes of a string. */
static char *copy(const char *text, size_t length) {
  char *made = tm_pool_take_as_is(length + 1);
  if (!made) return NULL;
  tm_copy(made, text, length);
  made[length] = 0;
  return made;
}

void tm_watch_no_other_program(const char *program) {
  const char *all = getenv("LD_PRELOAD");
  Dl_info us;
  if (!all || !dladdr(&own, &us)) return;
  /* The library stands behind all others; see ToolFile.preloaded. */
  size_t length = tm_text_length(all), last = tm_text_length(us.dli_fname);
  if (length < last || !tm_text_is(all + length - last, us.dli_fname)) return;
  size_t others = length - last;
  if (others && all[others - 1] != ':') return;
  char *libraries = tm_pool_take_as_is(sizeof LIBRARIES + length);
  char *rest = copy(all, others ? others - 1 : 0);
  own.program = copy(program, tm_text_length(program));
  if (!libraries || !rest || !own.program) return;
  tm_copy(libraries, LIBRARIES, sizeof LIBRARIES - 1);
  tm_copy(libraries + sizeof LIBRARIES - 1, all, length + 1);
  if (others) setenv("LD_PRELOAD", rest, 1);
  else unsetenv("LD_PRELOAD");
  own.libraries = libraries;
}

typedef struct environment {
  char *const *words;
  size_t size; /* of the copy in `words`; 0 for none */
} environment;

/* Returns the environment for a program that is to be started with `given`. Only the binary itself
 * gets another one, if `given` was made of the binary's own environment. */
static environment environment_for(const char *program, char *const given[]) {
  environment same = {given, 0};
  if (!own.libraries || !program || !given) return same;
  if (!tm_text_is(program, own.program) && !tm_text_is(program, "/proc/self/exe")) return same;
  size_t count = 0;
  bool is_descendant = false;
  for (; given[count]; count++)
    if (tm_text_begins(given[count], MARK)) is_descendant = true;
  size_t size = (count + 2) * sizeof(char *);
  char **words = is_descendant ? tm_map(size) : NULL;
  if (!words) return same;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!tm_text_begins(given[i], LIBRARIES)) words[kept++] = given[i];
  words[kept++] = own.libraries;
  words[kept] = NULL;
  return (environment){words, size};
}

static void give_back(environment made) {
  if (made.size) tm_unmap((void *)made.words, made.size);
}

#define SPAWN(name)                                                                              \
  TM_EXPORT int name(pid_t *restrict process, const char *restrict program,                      \
                     const posix_spawn_file_actions_t *restrict actions,                         \
                     const posix_spawnattr_t *restrict attributes,                               \
                     char *const arguments[restrict], char *const given[restrict]) {             \
    TM_FILE_CALL_BEGINS();                                                                       \
    environment made = environment_for(program, given);                                          \
    int result = TM_REAL(name)(process, program, actions, attributes, arguments, made.words);    \
    give_back(made);                                                                             \
    return result;                                                                               \
  }

SPAWN(posix_spawn)
SPAWN(posix_spawnp)

TM_GATE_CODE_END
#endif
