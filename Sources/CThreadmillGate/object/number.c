#ifdef __linux__
#include "ground/base.h"
#include "object/number.h"
#include "ground/thread.h"
#include "object/part.h"

TM_GATE_CODE_BEGIN

/* A thread that makes many objects takes numbers in blocks, so that threads do not contend for the
 * count. The first ones are taken one by one: reports show them. */
enum { ONE_BY_ONE = 256, BLOCK = 64 };
static atomic_ullong taken;

static uint64_t take(uint64_t count) {
  return atomic_fetch_add_explicit(&taken, count, memory_order_relaxed) + 1;
}

TM_SLOW void tm_object_take_ids(tm_thread *t) {
  tm_objects_part *mine = &t->objects;
  uint32_t block = mine->ids_taken < ONE_BY_ONE ? 1 : BLOCK;
  mine->next_id = take(block);
  mine->ids_left = block;
  mine->ids_taken += block;
}

uint64_t tm_object_new_id(void) {
  tm_thread *t = tm_self;
  return t ? tm_object_id_of(t) : take(1);
}

TM_GATE_CODE_END
#endif
