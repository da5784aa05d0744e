#ifdef __linux__
#include "ground/base.h"
#include "strand/race_mark.h"
#include "ground/pool.h"
#include "ground/tsan.h"
#include "strand/errand.h"

TM_GATE_CODE_BEGIN

/* A mark is a return address at which there is no code: TSan looks at the byte before it and finds
 * nothing. */
enum { SCOPE_MARKS = 1 << 19, SCHEDULES = 1 << 19, MARKS = SCOPE_MARKS + SCHEDULES + TM_ERRANDS };
static uintptr_t marks; /* set before anything is watched; 0: there is no TSan */

void tm_race_marks_prepare(void) {
  if (__tsan_func_entry && __tsan_func_exit) marks = (uintptr_t)tm_map(MARKS + 1);
}

bool tm_race_mark(uint32_t scope) {
  if (TM_LIKELY(!marks) || scope == 0 || scope >= SCOPE_MARKS) return false;
  __tsan_func_entry((void *)(marks + scope));
  return true;
}

void tm_race_mark_schedule(uint32_t number) {
  if (TM_UNLIKELY(marks)) __tsan_func_entry((void *)(marks + SCOPE_MARKS + number % SCHEDULES));
}

void tm_race_unmark_schedule(void) {
  if (TM_UNLIKELY(marks)) __tsan_func_exit();
}

void tm_race_unmark(void) { __tsan_func_exit(); }

bool tm_race_is_schedule(uintptr_t place) {
  return marks && place >= marks + SCOPE_MARKS && place < marks + SCOPE_MARKS + SCHEDULES;
}

bool tm_race_mark_work(uint32_t number) {
  if (!marks || !number) return false;
  __tsan_func_entry((void *)(marks + SCOPE_MARKS + SCHEDULES + number));
  return true;
}

uint32_t tm_race_work_of(uintptr_t place) {
  uintptr_t first = marks + SCOPE_MARKS + SCHEDULES;
  return marks && place > first && place < marks + MARKS ? (uint32_t)(place - first) : 0;
}

uint32_t tm_race_scope_of(uintptr_t place) {
  return marks && place > marks && place < marks + SCOPE_MARKS ? (uint32_t)(place - marks) : 0;
}

TM_GATE_CODE_END
#endif
