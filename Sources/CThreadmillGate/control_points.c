#ifdef __linux__
#include "control.h"
#include "shake.h"

TM_GATE_CODE_BEGIN

/* Objects are numbered as they come. */
typedef struct named {
  const void *object;
  uint32_t number, schedule;
} named;
enum { OBJECTS = 1 << 14 };
static named *names; /* OBJECTS */
static uint32_t name_count, schedule;

uint32_t tm_control_number(const void *object) {
  if (!object) return 0;
  uint64_t hash = tm_mix(0, (uintptr_t)object);
  for (uint32_t i = 0; i < OBJECTS; i++) {
    named *n = &names[(hash + i) % OBJECTS];
    if (n->schedule == schedule && n->object == object) return n->number;
    if (n->schedule == schedule) continue;
    if (name_count >= OBJECTS / 2) return 0;
    *n = (named){object, ++name_count, schedule};
    return n->number;
  }
  return 0;
}

void tm_numbers_forget(void) {
  schedule++;
  name_count = 0;
}

uint32_t tm_control_schedule(void) { return schedule; }

bool tm_numbers_prepare(void) {
  if (!names) names = tm_map(OBJECTS * sizeof *names);
  return names != NULL;
}

/* Points that are no operation of their own. */

static void point(tm_step_kind kind) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  s->point = true;
  tm_control_point(s, kind, NULL);
}

void tm_control_named_point(void) { point(TM_STEP_POINT); }
void tm_control_yield(void) { point(TM_STEP_YIELD); }

TM_SLOW void tm_control_at(tm_thread *t, tm_point point, const void *object) {
  (void)object;
  if (!t->inside) t->seat->point = point == TM_POINT_BEFORE;
}

TM_SLOW void tm_control_access(const void *word, bool writes) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  s->point = true;
  tm_control_point(s, writes ? TM_STEP_WRITE : TM_STEP_READ, word);
}

TM_GATE_CODE_END
#endif
