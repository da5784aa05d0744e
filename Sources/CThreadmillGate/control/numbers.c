#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/pool.h"

TM_GATE_CODE_BEGIN

/* Objects are numbered in the order in which a schedule first uses them. */
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

/* Places are numbered in the order in which an exploration first offers them. */
typedef struct placed {
  uintptr_t place;
  uint32_t number, exploration;
} placed;

enum { NUMBERED_PLACES = 1 << 14 };

static placed *numbered_places; /* NUMBERED_PLACES */

static uint32_t numbered_count, exploration;

uint32_t tm_control_place_number(uintptr_t place) {
  if (!place) return 0;
  uint64_t hash = tm_mix(0, place);
  for (uint32_t i = 0; i < NUMBERED_PLACES; i++) {
    placed *p = &numbered_places[(hash + i) % NUMBERED_PLACES];
    if (p->exploration == exploration && p->place == place) return p->number;
    if (p->exploration == exploration) continue;
    if (numbered_count >= NUMBERED_PLACES / 2) return 0;
    *p = (placed){place, ++numbered_count, exploration};
    return p->number;
  }
  return 0;
}

void tm_place_numbers_forget(void) {
  exploration++;
  numbered_count = 0;
}

void tm_numbers_forget(void) {
  schedule++;
  name_count = 0;
}

uint32_t tm_control_schedule(void) { return schedule; }

bool tm_numbers_prepare(void) {
  if (!names) names = tm_map(OBJECTS * sizeof *names);
  if (!numbered_places) numbered_places = tm_map(NUMBERED_PLACES * sizeof *numbered_places);
  return names && numbered_places;
}

TM_GATE_CODE_END
#endif
