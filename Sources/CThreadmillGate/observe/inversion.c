#ifdef __linux__
#include "ground/base.h"
#include "observe/inversion.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/item.h"
#include "object/object.h"
#include "object/owned.h"
#include "object/queue.h"
#include "observe/blocked.h"
#include "observe/part.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/quality.h"
#include "strand/rank.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* See inversion.h. An owner is looked for when the wait begins; without an owner, the thread that
 * ends the wait notes itself (`tm_let_go_seen`). What was found is judged when the wait ends. */

static void note_side(tm_side *side, const tm_thread *u, const uintptr_t site[TM_SITE]) {
  side->thread = u->who.number;
  side->quality = u->strand.origin.quality;
  side->submitter = u->strand.origin.submitter;
  side->waits = tm_waits_for(u) != NULL;
  for (int i = 0; i < TM_SITE; i++) side->site[i] = TM_GLIMPSE(site[i]);
  tm_site_copy(side->submitted, u->strand.origin.submitted);
  side->runs = u->strand.origin.runs;
}

static bool is_lower(uint8_t quality, const tm_thread *t) {
  return tm_is_lower(quality, t->strand.origin.quality);
}

static const uintptr_t nowhere[TM_SITE];

/* Returns whether thread `u` has the object, taken by the strand that runs there now: one that an
 * earlier strand took and did not give back does not count. `*hold` becomes NULL if the gate has no
 * hold for it: a Swift mutex names its owner, and the main thread has the main queue. */
static bool has(tm_thread *u, const tm_operation *op, const tm_hold **hold) {
  tm_wait wait = {.kind = (uint8_t)op->kind, .mode = (uint8_t)op->mode};
  if (!tm_holds(u, op->object, &wait)) return false;
  const tm_hold *h = *hold = tm_hold_find(u, op->object);
  return !h || (h >= u->held.locks + u->strand.base && tm_still_owns(u, h));
}

/* Finds, among the holders of lower quality than the waiter `t`, the one with the lowest. Leaves
 * out a holder whose holds or wait changed meanwhile: the values read may be of two strands. */
static void find_lower_holder(const tm_thread *t, const tm_operation *op, tm_side *found) {
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    unsigned since = tm_look(u);
    uint8_t quality = u->strand.origin.quality;
    if (u == t || !is_lower(quality, t) || !tm_is_live(u)) continue;
    const tm_hold *h;
    if (!has(u, op, &h) || (found->thread && found->quality <= quality)) continue;
    tm_side side;
    note_side(&side, u, h ? h->site : nowhere);
    if (side.quality == quality && tm_look_is_whole(u, since)) *found = side;
  }
}

/* Returns whether the mutex raises its holder's rank (PTHREAD_PRIO_INHERIT or _PROTECT). */
static bool has_protocol(const tm_operation *op) {
  enum { INHERITS = 32, PROTECTS = 64 };
  if (op->kind != TM_MUTEX) return false;
  return ((const pthread_mutex_t *)op->object)->__data.__kind & (INHERITS | PROTECTS);
}

/* Finds the holder with the lowest rank below the waiter's; `found->quality` is then that rank.
 * Skips holders that were compared by quality. Returns the waiter's rank; 0 if none is lower. */
static uint8_t find_ranked_holder(const tm_thread *t, const tm_operation *op, tm_side *found) {
  if (!tm_belongs_to_thread(op->kind) || t->who.is_library || has_protocol(op)) return 0;
  uint8_t own = tm_rank_of(t->ground.tid);
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    unsigned since = tm_look(u);
    bool chosen = u->strand.origin.quality != 0 && t->strand.origin.quality != 0;
    const tm_hold *h;
    if (u == t || chosen || u->who.is_library) continue; /* its rank is not the user's choice */
    if (!tm_is_live(u) || !has(u, op, &h)) continue;
    uint8_t rank = tm_rank_of(u->ground.tid);
    if (rank == 0 || rank >= own || (found->thread && found->quality <= rank)) continue;
    tm_side side;
    note_side(&side, u, h ? h->site : nowhere);
    side.quality = rank;
    if (tm_look_is_whole(u, since)) *found = side;
  }
  return found->thread ? own : 0;
}

static bool is_listed(const tm_inversion *i, uint32_t thread) {
  for (uint32_t b = 0; b < i->between_count; b++)
    if (i->between[b].thread == thread) return true;
  return thread == i->other.thread;
}

static void look_between(const tm_thread *t, tm_inversion *i) {
  if (!i->other.thread || i->rank) return;
  for (tm_thread *u = tm_thread_first(); u && i->between_count < TM_BETWEEN;
       u = tm_thread_next(u)) {
    bool between = u != t && is_lower(u->strand.origin.quality, t) &&
                   u->strand.origin.quality > i->other.quality;
    if (!between || !tm_is_live(u) || tm_waits_for(u)) continue;
    if (!is_listed(i, u->who.number)) note_side(&i->between[i->between_count++], u, nowhere);
  }
}

atomic_uint tm_expecting;

static void expect(tm_thread *t, const void *object) {
  tm_spin_lock(&t->observe.expecting_lock);
  t->observe.ended_by.thread = 0;
  t->observe.expects = object;
  tm_spin_unlock(&t->observe.expecting_lock);
  atomic_fetch_add(&tm_expecting, 1);
}

static void expect_no_more(tm_thread *t, tm_inversion *i) {
  atomic_fetch_sub(&tm_expecting, 1);
  tm_spin_lock(&t->observe.expecting_lock);
  t->observe.expects = NULL;
  i->other = t->observe.ended_by;
  tm_copy(&i->other_runs, &t->observe.ended_by_runs, sizeof i->other_runs);
  tm_spin_unlock(&t->observe.expecting_lock);
}

TM_SLOW void tm_let_go_seen(tm_thread *t, const void *object, void *frame) {
  uintptr_t site[TM_SITE] = {0};
  tm_runs_view runs;
  bool described = false;
  if (frame) tm_site_take(t, frame, site);
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (u == t || u->observe.expects != object) continue;
    if (!described) tm_runs_describe(&t->strand.origin.runs, NULL, &runs);
    described = true;
    tm_spin_lock(&u->observe.expecting_lock);
    if (u->observe.expects == object) {
      note_side(&u->observe.ended_by, t, site);
      tm_copy(&u->observe.ended_by_runs, &runs, sizeof runs);
    }
    tm_spin_unlock(&u->observe.expecting_lock);
  }
}

TM_SLOW void tm_inversion_begin(tm_thread *t, tm_operation *op) {
  if (op->kind == TM_THREAD || op->polls || op->inversion) return;
  tm_side other = {0};
  bool owned = op->action != TM_WAIT;
  uint8_t rank = 0;
  if (owned) find_lower_holder(t, op, &other);
  if (owned && !other.thread && tm_is_ranked()) rank = find_ranked_holder(t, op, &other);
  if (!owned && t->strand.origin.quality <= TM_BACKGROUND) return;
  if (owned && !other.thread) return;
  tm_inversion *i = tm_pool_take(sizeof *i);
  if (!i) return;
  i->part = owned ? TM_HELD : TM_SIGNALLED;
  i->limited = op->bounded;
  i->rank = rank;
  i->other = other;
  tm_runs_describe(&other.runs, NULL, &i->other_runs);
  look_between(t, i);
  op->inversion = i;
  if (!owned) expect(t, op->object);
  i->since = tm_now();
}

void tm_inversion_pass(const tm_thread *t, const tm_operation *op) {
  tm_inversion *i = op->inversion;
  if (!i || i->until) return;
  i->until = tm_now();
  look_between(t, i);
}

static bool is_inverted(const tm_thread *t, const tm_operation *op, const tm_inversion *i) {
  return tm_is_inverted(
      (tm_inversion_signs){.other_known = i->since && i->other.thread,
                           .ranked = i->rank != 0,
                           .waiter = t->strand.origin.quality,
                           .other = i->other.quality,
                           .other_had_object = i->part == TM_HELD,
                           .without_owner = op->action == TM_WAIT,
                           .semaphore = op->kind == TM_SEMAPHORE,
                           .others_work_is_waiters = i->other.submitter == t->strand.id});
}

/* Returns whether to tell an inversion at this pair of places; counts how often that was a yes. */
enum { TOLD_PLACES = 512 };
static bool is_worth_telling(const uintptr_t a[TM_SITE], const uintptr_t b[TM_SITE], bool harmful) {
  static _Atomic uint64_t told[TOLD_PLACES];
  uint64_t key = tm_mix(tm_mix(tm_mix(tm_mix(harmful, a[0]), a[1]), b[0]), b[1]) & ~15ull;
  _Atomic uint64_t *place = &told[key >> 55];
  uint64_t seen = atomic_load(place), times = seen >> 4 == key >> 4 ? seen & 15 : 0;
  if (!tm_may_tell_inversion(times, harmful)) return false;
  atomic_store(place, key | (times + 1));
  return true;
}

/* Fills the view from the side. `ranked`: `side->quality` is a rank, and not shown. */
static void view_side(const tm_side *side, bool ranked, tm_runs_view *runs, tm_thread_view *view) {
  tm_clear(view, sizeof *view);
  view->thread = side->thread;
  view->quality = ranked ? 0 : side->quality;
  tm_site_copy(view->submitted, side->submitted);
  view->stack = side->site;
  while (view->stack_count < TM_SITE && side->site[view->stack_count]) view->stack_count++;
  if (!side->runs.queue) return;
  tm_runs_declare(runs);
  view->runs = runs;
}

typedef struct words {
  tm_thread_view other, between[TM_BETWEEN];
  tm_runs_view runs[TM_BETWEEN];
} words;

static void tell_inversion(tm_thread *t, const tm_operation *op, tm_inversion *i, bool harmful) {
  words w;
  view_side(&i->other, i->rank != 0, &i->other_runs, &w.other);
  for (uint32_t b = 0; b < i->between_count; b++) {
    tm_runs_describe(&i->between[b].runs, NULL, &w.runs[b]);
    view_side(&i->between[b], false, &w.runs[b], &w.between[b]);
  }
  tm_kind kind = tm_kind_of(op->object, op->kind);
  tm_happening h = {.kind = TM_PRIORITY_INVERTED,
                    .priority_inverted = {.nanoseconds = i->until - i->since,
                                          .harmful = harmful,
                                          .limited = i->limited,
                                          .other_ended_wait = i->part == TM_SIGNALLED,
                                          .other_waits = i->other.waits,
                                          .waiter_rank = i->rank,
                                          .other_rank = i->rank ? i->other.quality : 0,
                                          .other = &w.other,
                                          .between = w.between,
                                          .between_count = i->between_count}};
  tm_object_describe(op->object, kind, op->mode, &h.priority_inverted.object);
  tm_tell_all(t, op->frame, &h);
}

static tm_inversion *finished(tm_thread *t, tm_operation *op) {
  tm_inversion *i = op->inversion;
  op->inversion = NULL;
  if (i->part == TM_SIGNALLED) expect_no_more(t, i);
  return i;
}

TM_SLOW void tm_inversion_end(tm_thread *t, tm_operation *op) {
  tm_inversion_pass(t, op);
  tm_inversion *i = finished(t, op);
  if (i->part == TM_SIGNALLED) look_between(t, i);
  if (is_inverted(t, op, i)) {
    bool harmful = i->until - i->since >= tm_settings_now.inversion_limit;
    const uintptr_t *place = i->other.site[0] ? i->other.site : i->other.submitted;
    if (tm_is_inversion_of_interest(harmful, op->kind) &&
        is_worth_telling(op->site, place, harmful))
      tell_inversion(t, op, i, harmful);
  }
  tm_pool_give(i, sizeof *i);
}

void tm_inversion_drop(tm_thread *t, tm_operation *op) {
  if (op->inversion) tm_pool_give(finished(t, op), sizeof(tm_inversion));
}

void tm_raise_note(tm_thread *t, const void *queue, uint8_t quality, tm_raise *raise) {
  *raise = (tm_raise){0};
  uint8_t queues = quality ? tm_queue_quality(queue) : 0;
  uint32_t backlog = tm_is_lower(queues, quality) ? tm_backlog_of(queue) : 0;
  if (tm_raises_queue(quality, queues, backlog))
    *raise = (tm_raise){tm_now(), backlog, t->who.number, quality};
}

void tm_raise_tell(tm_thread *t, const void *queue, const tm_raise *raise,
                   const uintptr_t site[TM_SITE]) {
  uint64_t waited = tm_now() - raise->since;
  bool harmful = waited >= tm_settings_now.inversion_limit;
  tm_link links[TM_CHAIN];
  if (!tm_queue_chain(queue, false, links) || !is_worth_telling(site, nowhere, harmful)) return;
  tm_thread_view submitter = {.thread = raise->thread, .quality = raise->quality};
  tm_site_copy(submitter.submitted, site);
  tm_happening h = {.kind = TM_QUEUE_RAISED,
                    .queue_raised = {.nanoseconds = waited,
                                     .harmful = harmful,
                                     .backlog = raise->backlog,
                                     .quality = tm_queue_quality(queue),
                                     .submitter = &submitter}};
  tm_tell(t, __builtin_frame_address(0), &h, &h.queue_raised.queue, queue, links[0].kind);
}

TM_GATE_CODE_END
#endif
