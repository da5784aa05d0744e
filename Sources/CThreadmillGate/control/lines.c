#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "control/world.h"
#include "object/hop.h"
#include "strand/job.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* The lines of the program that an exploration is led to, and which flows stand at them. */

static const tm_line_code *code; /* by address */
static uint32_t code_count;

void tm_control_lead_to(const tm_line_code *pieces, uint32_t count) {
  code = pieces, code_count = count;
}

bool tm_lines_are_led_to(void) { return code_count > 0; }

/* Returns the lines that a call belongs to, which returns to this address. */
static uint16_t lines_before(uintptr_t address) {
  uint32_t low = 0, high = code_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (code[middle].low < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && address <= code[low - 1].high ? code[low - 1].lines : 0;
}

/* Finds the calls that a flow is in, as return addresses. A task that waits to go on is in its
 * awaits. A flow that has not begun is in none. */
static uint32_t calls_of(const tm_flow *f, uintptr_t places[TM_STACK]) {
  if (f->kind == TM_STEP_HOP) return places[0] = (uintptr_t)f->with + 1, 1;
  if (f->state == TM_FLOW_HERE && !f->aside && f->frame)
    return tm_stack_of_waiting(f->seat->thread, (void *)f->frame, places, TM_STACK);
  const tm_hop *hop = tm_hop_in(f->work, f->context);
  return hop && hop->job ? tm_job_awaits(hop->context, places) : 0;
}

uint16_t tm_flow_lines(tm_flow *f) {
  if (f->lines_known) return f->lines;
  uintptr_t places[TM_STACK];
  uint32_t count = calls_of(f, places);
  f->lines = 0, f->lines_known = true;
  for (uint32_t i = 0; i < count; i++) f->lines |= lines_before(places[i]);
  return f->lines;
}

TM_GATE_CODE_END
#endif
