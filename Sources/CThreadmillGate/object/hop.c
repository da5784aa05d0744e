#ifdef __linux__
#include "ground/base.h"
#include "object/hop.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "object/upcalls.h"

TM_GATE_CODE_BEGIN

const tm_hop *tm_hop_in(dispatch_function_t work, const void *context) {
  return work == tm_hop_land ? context : NULL;
}

typedef struct visit {
  void (*visit)(const tm_hop *, void *);
  void *context;
} visit;

static void visit_hop(void *block, void *context) {
  tm_hop *hop = block;
  visit *v = context;
  if (atomic_load_explicit(&hop->waiting, memory_order_acquire) == TM_HOP_WAITS)
    v->visit(hop, v->context);
}

void tm_hops_each(void (*visitor)(const tm_hop *, void *), void *context) {
  visit v = {visitor, context};
  tm_pool_each(TM_HOP_ALONE, visit_hop, &v);
  tm_pool_each(sizeof(tm_hop), visit_hop, &v);
}

TM_GATE_CODE_END
#endif
