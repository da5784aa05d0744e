#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "object/queue.h"
#include "strand/thread.h"

TM_GATE_CODE_BEGIN

/* Lanes: for each queue, the flows that wait for it, in order, and the rule by which it admits
 * them. */

enum { LANES = 1 << 12 };

typedef struct tm_lane {
  const void *queue;
  uint32_t schedule;
  bool serial, exclusive; /* exclusive: a flow runs there that shuts out all others */
  uint32_t running, begun;
  tm_ticket *first, *last;
} tm_lane;

static tm_lane *lanes;
static uint32_t lanes_schedule;

void tm_lanes_forget(void) { lanes_schedule++; }

static bool is_serial(const void *queue) {
  return queue == tm_main_queue || tm_queue_width(queue) == 1;
}

/* Returns the queue's lane; NULL for a root queue, which admits every flow. */
static tm_lane *lane_of(const void *queue) {
  if (!queue || tm_queue_is_root(queue)) return NULL;
  if (!lanes && !(lanes = tm_map(LANES * sizeof *lanes))) return NULL;
  uint64_t hash = tm_mix(0, (uintptr_t)queue);
  for (uint32_t i = 0; i < LANES; i++) {
    tm_lane *l = &lanes[(hash + i) % LANES];
    if (l->schedule == lanes_schedule && l->queue != queue) continue;
    if (l->schedule == lanes_schedule) return l;
    *l = (tm_lane){.queue = queue, .schedule = lanes_schedule};
    l->serial = is_serial(queue);
    return l;
  }
  return NULL;
}

static bool is_before(const tm_lane *l, const tm_ticket *ticket, bool barriers_only) {
  for (const tm_ticket *one = l->first; one && one != ticket; one = one->next)
    if (!barriers_only || one->barrier) return true;
  return false;
}

static const void *target_of(const tm_lane *l) {
  return l->queue == tm_main_queue ? NULL : tm_queue_target(l->queue);
}

/* Returns whether Swift's pool runs as many jobs as the settings allow. Without that setting, the
 * pool has no limit. */
static bool is_pool_full(const tm_lane *l) {
  unsigned pool = tm_settings_now.pool;
  return pool && l->running >= pool && !l->serial && tm_queue_width(l->queue) == pool;
}

bool tm_lane_admits(const tm_ticket *ticket) {
  const tm_lane *l = ticket->lane;
  if (!l) return true;
  bool alone = l->serial || ticket->barrier;
  if (is_pool_full(l)) return false;
  if (l->exclusive || (alone && l->running) || is_before(l, ticket, !alone)) return false;
  for (const tm_lane *over = l; over; over = lane_of(target_of(over))) {
    if (tm_is_suspended(over->queue)) return false;
    if (over != l && (over->exclusive || (over->serial && over->running))) return false;
  }
  return true;
}

/* An unused lane may be that of an earlier queue at the same address, so its kind is read anew. */
void tm_lane_join(tm_ticket *ticket, const void *queue, bool barrier) {
  tm_lane *l = lane_of(queue);
  ticket->lane = l, ticket->queue = queue, ticket->barrier = barrier, ticket->next = NULL;
  if (!l) return;
  if (!l->first && !l->running) l->serial = is_serial(queue);
  if (l->last) l->last->next = ticket;
  else l->first = ticket;
  l->last = ticket;
}

uint32_t tm_lane_begun(const void *queue) {
  const tm_lane *l = lane_of(queue);
  return l ? l->begun : 0;
}

bool tm_lane_is_below_another(const tm_ticket *ticket) {
  return ticket->lane && lane_of(target_of(ticket->lane));
}

static void step_out(tm_lane *l, const tm_ticket *ticket) {
  tm_ticket *before = NULL;
  for (tm_ticket *one = l->first; one; before = one, one = one->next) {
    if (one != ticket) continue;
    if (before) before->next = one->next;
    else l->first = one->next;
    if (l->last == one) l->last = before;
    return;
  }
}

void tm_lane_enter(tm_ticket *ticket) {
  if (!ticket->lane) return;
  step_out(ticket->lane, ticket);
  ticket->lane->begun++;
  for (tm_lane *l = ticket->lane; l; l = lane_of(target_of(l))) {
    l->running++;
    if (l->serial || (l == ticket->lane && ticket->barrier)) l->exclusive = true;
  }
}

void tm_ticket_hold(tm_ticket *ticket) {
  void (*retain)(const void *) = TM_HELPER(void (*)(const void *), dispatch_retain);
  retain(ticket->queue);
  ticket->holds = true;
}

void tm_ticket_let_go(tm_ticket *ticket) {
  if (!ticket->holds) return;
  ticket->holds = false;
  TM_TRUE(dispatch_release)((void *)ticket->queue);
}

void tm_lane_leave(tm_ticket *ticket) {
  for (tm_lane *l = ticket->lane; l; l = lane_of(target_of(l)))
    if (--l->running == 0) l->exclusive = false;
  tm_ticket_let_go(ticket);
}

void tm_flow_withdraw(tm_flow *f) {
  if (f->ticket.lane) step_out(f->ticket.lane, &f->ticket);
  tm_ticket_let_go(&f->ticket);
  tm_flow_forget(f);
}

TM_GATE_CODE_END
#endif
