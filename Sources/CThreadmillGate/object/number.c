#ifdef __linux__
#include "ground/base.h"
#include "object/number.h"
#include "ground/thread.h"
#include "object/part.h"

TM_GATE_CODE_BEGIN

/* Threads take numbers in blocks, so that they do not contend for the count. */
enum { BLOCK = 64 };
static atomic_ullong taken;

uint64_t tm_object_new_id(void) {
  tm_thread *t = tm_self;
  if (!t) return atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed) + 1;
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  tm_objects_part *mine = &t->objects;
  if (mine->ids_left == 0) {
    mine->next_id = atomic_fetch_add_explicit(&taken, BLOCK, memory_order_relaxed) + 1;
    mine->ids_left = BLOCK;
  }
  mine->ids_left--;
  uint64_t id = mine->next_id++;
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
  return id;
}

TM_GATE_CODE_END
#endif
