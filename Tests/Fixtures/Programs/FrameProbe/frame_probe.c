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

static uint32_t counting(uintptr_t *addresses, uint32_t limit) {
  asked++;
  return tm_unwind_here(addresses, limit);
}

bool frame_probe_begin(void) {
  if (tm_unwind_prepare() != TM_UNWIND_READY) return false;
  tm_set_unwinders(counting, tm_unwind_context_stack);
  return true;
}

/* Frames of the unwinding itself. */
enum { OWN = 2 };

void frame_probe_note(frame_probe_moment *moment) {
  uintptr_t all[OWN + FRAME_PROBE_STACK] = {0};
  tm_unwind_here(all, OWN + FRAME_PROBE_STACK);
  for (int i = 0; i < FRAME_PROBE_STACK; i++) moment->stack[i] = all[OWN + i];
  moment->asked = asked;
}

void frame_probe_submitted(uintptr_t site[FRAME_PROBE_SITE]) { tm_submitted_at(site); }

bool frame_probe_is_in(const char *library, uintptr_t address) {
  Dl_info info;
  if (!dladdr((void *)address, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  return strncmp(slash ? slash + 1 : info.dli_fname, library, strlen(library)) == 0;
}
#endif
