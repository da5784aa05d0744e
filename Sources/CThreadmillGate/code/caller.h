/* Tells the caller's kind from the return address: by the page that the address lies in, looked up
 * once per thread. */
#ifndef TM_CALLER_H
#define TM_CALLER_H
#include "ground/base.h"
#include "ground/limits.h"
#include "ground/thread.h"

typedef enum tm_caller {
  TM_CALLER_USER,       /* the program, its own libraries, libswiftDispatch */
  TM_CALLER_FOUNDATION, /* on the user's behalf or its own; see watched.h */
  TM_CALLER_RUNTIME,    /* libswift_Concurrency: the system's, with a task status lock to watch */
  TM_CALLER_SYSTEM,     /* a library of the system or the toolchain, on its own behalf */
  TM_CALLER_TESTING,    /* libTesting: the system's, but it says which test runs */
  /* Added to any of them by `tm_long_way_call`. */
  TM_CALLER_PROFILED = 16,
  TM_CALLER_SHAKEN = 32,
  TM_CALLER_STEERED = 64,
  TM_CALLER_FLAGS = TM_CALLER_PROFILED | TM_CALLER_SHAKEN | TM_CALLER_STEERED,
} tm_caller;

void tm_callers_prepare(void);
tm_caller tm_caller_find(uintptr_t address);
/* Returns whether the address lies in the code of an image. */
bool tm_is_known_code(uintptr_t pc);
/* Returns whether the address lies in the C library, where every stack begins. */
bool tm_is_libc_code(uintptr_t pc);
/* Returns whether the address lies in libswiftDispatch, which only translates calls. */
bool tm_is_overlay_code(uintptr_t pc);

/* Every function of the gate lies in a section of its own, which the linker delimits. */
extern const char __start_threadmill_gate[] __attribute__((visibility("hidden")));
extern const char __stop_threadmill_gate[] __attribute__((visibility("hidden")));
TM_INLINE bool tm_in_gate(uintptr_t address) {
  return address - (uintptr_t)__start_threadmill_gate <
         (uintptr_t)(__stop_threadmill_gate - __start_threadmill_gate);
}

/* A call that returns into the gate comes from a real function that ended in a jump, so it is a
 * library's own. */
TM_INLINE tm_caller tm_caller_of(tm_thread *t, void *address) {
  if (TM_UNLIKELY(tm_in_gate((uintptr_t)address))) return TM_CALLER_SYSTEM;
  uintptr_t page = (uintptr_t)address >> 12;
  uint64_t known = t->code.callers[page % TM_CALLERS];
  if (TM_LIKELY(known >> 8 == page)) return (tm_caller)(known & 0xff);
  tm_caller found = tm_caller_find((uintptr_t)address);
  t->code.callers[page % TM_CALLERS] = (uint64_t)page << 8 | found;
  return found;
}
#endif
