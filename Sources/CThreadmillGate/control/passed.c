#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "ground/thread.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Counts the calls that an exploration does not control, and keeps the places of the first ones.
 * Only the thread with the turn reads and writes these counts. */

enum { PASSED_PLACES = 16, FRAMES = 16 };

typedef struct place {
  const char *name;
  uint64_t count;
  uint32_t stack;
} place;
static place passed_places[PASSED_PLACES];
static uint32_t passed_count;
static uint64_t passed_calls;

uint64_t tm_control_passed_count(void) { return passed_calls; }

void tm_passed_forget(void) {
  passed_count = 0;
  passed_calls = 0;
}

TM_SLOW void tm_control_passed(const char *name, void *frame) {
  uintptr_t stack[FRAMES];
  uint32_t count = tm_self ? tm_stack_take(tm_self, frame, stack, FRAMES) : 0;
  uint32_t kept = tm_stack_keep(stack, count);
  passed_calls++;
  for (uint32_t i = 0; i < passed_count; i++) {
    if (passed_places[i].stack != kept || passed_places[i].name != name) continue;
    passed_places[i].count++;
    return;
  }
  if (passed_count < PASSED_PLACES) passed_places[passed_count++] = (place){name, 1, kept};
}

void tm_control_passed_each(tm_passed_visitor visit, void *context) {
  for (uint32_t i = 0; i < passed_count; i++) {
    tm_passed shown = {.name = passed_places[i].name, .count = passed_places[i].count};
    shown.places = tm_stack_kept(passed_places[i].stack, &shown.place_count);
    visit(&shown, context);
  }
}

const uintptr_t *tm_control_stack(uint32_t index, uint32_t *count) {
  return tm_stack_kept(index, count);
}

TM_GATE_CODE_END
#endif
