#ifdef __linux__
#include "ground/base.h"
#include "calls/sanitizer/accesses.h"
#include "calls/sanitizer/checked_accesses.h"
#include "code/jump.h"
#include "ground/asan.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/text.h"
#include <dlfcn.h>
#include <stdlib.h>

TM_GATE_CODE_BEGIN

/* Memory accesses of a build with Address Sanitizer and the compiler's options
 * `-asan-instrumentation-with-call-threshold=0` and `-asan-opt=0`: the program calls `__asan_load8`
 * and so on, which check each access. The gate stands in front of these functions, and goes on to
 * `__asan_load8_noabort` and so on. The sanitizer has those for builds that recover from errors:
 * they check the same, and end the program at an error unless `halt_on_error=0` is set. They have
 * to see the program as their caller, so the gate jumps to them. */

typedef void check(uintptr_t address);

/* clang-format off */
#define TM_EACH_CHECK(X) \
  X(load, 1, false) X(load, 2, false) X(load, 4, false) X(load, 8, false) X(load, 16, false) \
  X(store, 1, true) X(store, 2, true) X(store, 4, true) X(store, 8, true) X(store, 16, true)
/* clang-format on */

#define TM_CHECK(access, size, writes)                                            \
  static check *check_##access##size;                                             \
  static void access##size(uintptr_t address) {                                   \
    void *place = __builtin_return_address(0);                                    \
    __asm__ volatile("" : "+r"(place));                                           \
    if (TM_UNLIKELY(tm_has_points()))                                             \
      tm_accessed((const void *)address, place, size, writes);                    \
    __attribute__((musttail)) return check_##access##size(address);               \
  }

TM_EACH_CHECK(TM_CHECK)

static const struct {
  const char *name, *next;
  check *by, **then;
} checks[] = {
#define TM_CHECK_ROW(access, size, writes)                                                  \
  {"__asan_" #access #size, "__asan_" #access #size "_noabort", access##size,               \
   &check_##access##size},
    TM_EACH_CHECK(TM_CHECK_ROW)};

/* A program that is told to go on after errors, and was not built for that, ends at the first. */
static bool goes_on_after_errors(void) {
  const char *options = getenv("ASAN_OPTIONS");
  return options && (tm_text_has(options, "halt_on_error=0") ||
                     tm_text_has(options, "halt_on_error=false"));
}

void tm_checked_accesses_prepare(void) {
  if (!tm_is_asan() || !tm_can_jump() || goes_on_after_errors() || !tm_task_is_alone()) return;
  for (uint32_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    void *entry = dlsym(RTLD_DEFAULT, checks[i].name);
    *checks[i].then = (check *)dlsym(RTLD_DEFAULT, checks[i].next);
    if (entry && *checks[i].then) tm_jump_write(entry, (void (*)(void))checks[i].by);
  }
}

TM_GATE_CODE_END
#endif
