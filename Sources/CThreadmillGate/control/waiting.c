#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

typedef struct offer_list {
  tm_offer *steps;
  uint32_t count, limit;
} offer_list;

static bool add(tm_flow *f, void *context) {
  offer_list *l = context;
  if (f->state == TM_FLOW_OVER || l->count == l->limit) return true;
  l->steps[l->count++] = (tm_offer){
      .object = tm_control_number(f->object),
      .flow = f->number,
      .kind = f->kind,
      .writes = f->kind != TM_STEP_SHARE,
  };
  return true;
}

uint32_t tm_control_waiting(tm_offer *steps, uint32_t limit) {
  offer_list l = {steps, 0, limit};
  tm_flows_each(add, &l);
  return l.count;
}

TM_GATE_CODE_END
#endif
