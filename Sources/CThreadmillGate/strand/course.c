#ifdef __linux__
#include "ground/base.h"
#include "strand/course.h"
#include "ground/thread.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

uint64_t tm_scramble(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

uintptr_t tm_course_place(const uintptr_t site[TM_SITE]) {
  uint64_t place = 0;
  for (int i = 0; i < TM_SITE; i++) place = tm_mix(place, site[i]);
  return place;
}

uint64_t tm_course_child(tm_thread *t) {
  uint64_t number = ++t->strand.course.children * 0x9E3779B97F4A7C15u;
  return tm_scramble(t->strand.course.path + number) | 1;
}

TM_GATE_CODE_END
#endif
