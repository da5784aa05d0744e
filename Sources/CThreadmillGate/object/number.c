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

uint64_t tm_object_new_id(void) {
  tm_thread *t = tm_self;
  if (!t) return atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed) + 1;
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  tm_objects_part *mine = &t->objects;
  if (mine->ids_left == 0) {
    uint32_t block = mine->ids_taken < ONE_BY_ONE ? 1 : BLOCK;
    mine->next_id = atomic_fetch_add_explicit(&taken, block, memory_order_relaxed) + 1;
    mine->ids_left = block;
    mine->ids_taken += block;
  }
  mine->ids_left--;
  uint64_t id = mine->next_id++;
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
  return id;
}

TM_GATE_CODE_END
#endif
