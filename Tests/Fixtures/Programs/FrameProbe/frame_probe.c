#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <string.h>
#include "frame_probe.h"
#include "threadmill_gate.h"
#include "threadmill_unwind.h"

_Static_assert(FRAME_PROBE_SITE == TM_SITE, "the gate keeps another number of frames");

static _Thread_local uint32_t asked;

static uint32_t counting(uintptr_t *addresses, uintptr_t *places, uint32_t limit) {
  asked++;
  return tm_unwind_here(addresses, places, limit);
}

bool frame_probe_begin(void) {
  if (tm_unwind_prepare(tm_image_visit, tm_function_replace) != TM_UNWIND_READY) return false;
  tm_set_unwinders(counting, tm_unwind_context_stack);
  return true;
}

/* Frames of the unwinding itself. */
enum { OWN = 2 };

void frame_probe_note(frame_probe_moment *moment) {
  uintptr_t all[OWN + FRAME_PROBE_STACK] = {0};
  tm_unwind_here(all, NULL, OWN + FRAME_PROBE_STACK);
  for (int i = 0; i < FRAME_PROBE_STACK; i++) moment->stack[i] = all[OWN + i];
  moment->asked = asked;
}

void frame_probe_submitted(uintptr_t site[FRAME_PROBE_SITE]) { tm_submitted_at(site); }

/* The number keeps the compiler from making one call of them all. */
#define CALL(n)                                                                                    \
  case n:                                                                                          \
    body(context);                                                                                 \
    __asm__ volatile("" : : "i"(n));                                                               \
    break;
#define FOUR_CALLS(n) CALL(n) CALL((n) + 1) CALL((n) + 2) CALL((n) + 3)
#define SIXTEEN_CALLS(n) FOUR_CALLS(n) FOUR_CALLS((n) + 4) FOUR_CALLS((n) + 8) FOUR_CALLS((n) + 12)
#define SIXTY_FOUR_CALLS(n)                                                                        \
  SIXTEEN_CALLS(n) SIXTEEN_CALLS((n) + 16) SIXTEEN_CALLS((n) + 32) SIXTEEN_CALLS((n) + 48)

void frame_probe_call_from(uint8_t place, void (*body)(void *context), void *context) {
  switch (place) {
    SIXTY_FOUR_CALLS(0)
    SIXTY_FOUR_CALLS(64)
    SIXTY_FOUR_CALLS(128)
    SIXTY_FOUR_CALLS(192)
  }
}

bool frame_probe_is_in(const char *library, uintptr_t address) {
  Dl_info info;
  if (!dladdr((void *)address, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  return strncmp(slash ? slash + 1 : info.dli_fname, library, strlen(library)) == 0;
}
#endif
