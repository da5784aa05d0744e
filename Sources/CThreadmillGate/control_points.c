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

/* Orders of locks. One that is new begins the count of all of them anew: it may make a cycle with
 * those that are known, and that shows in schedules that have both. */
enum { ORDERS = 1 << 10, ENOUGH = 64 };
static struct {
  uint64_t name;
  uint32_t count, epoch;
} orders[ORDERS];
static uint32_t epoch;

void tm_orders_forget(void) {
  tm_clear(orders, sizeof orders);
  epoch++;
}

bool tm_control_knows_order(uint64_t name) {
  uint32_t place = name >> 32 & (ORDERS - 1);
  if (orders[place].name != name) epoch++;
  if (orders[place].name != name || orders[place].epoch != epoch) {
    orders[place].name = name;
    orders[place].count = 0;
    orders[place].epoch = epoch;
  }
  return orders[place].count++ >= ENOUGH;
}

bool tm_is_exploring(void) {
  const tm_seat *s = tm_self ? tm_self->seat : NULL;
  return s && s->flow && !atomic_load(&s->given_up);
}
bool tm_is_controlled(void) { return tm_seat_here() != NULL; }

bool tm_control_begin_body(void) {
  const tm_seat *s = tm_self ? tm_self->seat : NULL;
  if (!s || s->discards || !s->flow) return false;
  s->flow->launched = false;
  return true;
}

/* Points that are no operation of their own. */

TM_SLOW void tm_control_at(tm_thread *t, tm_point point, const void *object) {
  (void)object;
  if (!t->inside) t->seat->point = point == TM_POINT_BEFORE;
}

/* So many atomic accesses without another operation: this is a loop that waits for somebody. */
enum { SPINS = 64 };

TM_SLOW void tm_control_access(const void *word, bool writes) {
  tm_seat *s = tm_seat_here();
  if (!s || s->flow->atomics > SPINS) return;
  s->point = true;
  tm_control_point(s, writes ? TM_STEP_WRITE : TM_STEP_READ, word);
}

TM_SLOW void tm_control_atomic(const void *word, tm_step_kind kind) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  s->point = true;
  if (s->flow->atomics > SPINS) return tm_control_point(s, TM_STEP_YIELD, NULL);
  s->flow->atomics++;
  tm_control_point(s, kind, word);
}

TM_GATE_CODE_END
#endif
