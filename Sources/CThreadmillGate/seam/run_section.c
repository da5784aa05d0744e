#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/queue.h"
#include "observe/blocked.h"
#include "observe/inversion.h"
#include "observe/main_queue.h"
#include "observe/nested.h"
#include "observe/profile.h"
#include "observe/starvation.h"
#include "seam/point.h"
#include "seam/section.h"
#include "steer/steer.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/contexts.h"
#include "strand/errand.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* `sync`: the caller waits for the queue and its serial targets, and holds them while the work
 * runs, on the caller's thread or on another one. */

static void describe_link(const tm_link *link, const tm_operation *op, tm_object_view *view) {
  tm_object_describe(link->queue, link->kind, link->mode, view);
  tm_site_copy(view->site, op->site);
}

static void report_reentry(tm_thread *t, tm_section *s, uint32_t culprit) {
  tm_thread_view view;
  tm_object_view chain[TM_CHAIN];
  tm_quiet before = tm_upcall_begin(t);
  tm_view_self(t, s->op.frame, NULL, &tm_upcall_room, &view);
  for (uint32_t i = 0; i <= culprit; i++) describe_link(&s->links[i], &s->op, &chain[i]);
  view.wanted = chain[0];
  tm_tell_certain(&view, TM_QUEUE_REENTRY, chain, culprit + 1);
  tm_upcall_end(t, before);
}

static bool waits_for_itself(tm_thread *t, const tm_link *link) {
  if (link->queue == tm_main_queue && t->who.is_main) return true;
  const tm_hold *h = tm_hold_find(t, link->queue);
  return h && tm_excludes(h->mode, link->mode);
}

/* The main thread holds the main queue; that matters only once another thread waits for it. */
static void want_main_queue(void) {
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (u->who.is_main && u->holds.held_count == 0)
      u->ground.attention = TM_ATTENDS_MAIN_QUEUE | tm_attention(u);
}

static void approach(tm_thread *t, tm_section *s, const tm_link *link) {
  s->op.object = link->queue;
  s->op.kind = link->kind;
  s->op.mode = link->mode;
  if (link->queue == tm_main_queue) want_main_queue();
  if (TM_UNLIKELY(tm_is_steered(t))) tm_steer(t, &s->op);
  s->op.context = tm_context(t, link->queue, link->kind, link->mode);
  if (t->holds.held_count && tm_is_new_context(t, s->op.context)) tm_nested(t, &s->op);
}

/* Returns the first target in the chain that another thread holds, or the queue itself. */
static const tm_link *obstacle(tm_thread *t, const tm_section *s) {
  for (uint32_t i = 1; i < s->count; i++)
    if (tm_held_by_other(t, s->links[i].queue, s->links[i].mode)) return &s->links[i];
  return &s->links[0];
}

/* Returns whether the caller has nothing to check: it holds nothing, and the queue looks free,
 * which says nothing in an exploration. A wrong yes has the consequences of `tm_looks_taken`'s no.
 * The wait is published before the look at the queue. */
static bool waits_plainly(tm_thread *t, tm_section *s) {
  const tm_link *link = &s->links[0];
  if (s->count != 1 || t->holds.held_count || t->ground.special) return false;
  if (TM_UNLIKELY(link->queue == tm_main_queue)) return false;
  s->op.object = link->queue, s->op.kind = link->kind, s->op.mode = link->mode;
  tm_wait_begin(t, &s->op, false);
  return tm_queue_looks_free(link->queue);
}

bool tm_section_wait(tm_thread *t, tm_section *s) {
  if (TM_LIKELY(waits_plainly(t, s))) return true;
  for (uint32_t i = 0; i < s->count; i++) {
    if (!waits_for_itself(t, &s->links[i])) continue;
    report_reentry(t, s, i);
    if (tm_settings_now.continue_after_reentry) return false;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    if (tm_hold_find(t, s->links[i].queue)) continue;
    approach(t, s, &s->links[i]);
  }
  if (s->count == 0) return true;
  const tm_link *link = s->count > 1 ? obstacle(t, s) : &s->links[0];
  s->op.object = link->queue, s->op.kind = link->kind, s->op.mode = link->mode;
  tm_wait_begin(t, &s->op, false);
  tm_may_starve(t);
  if (t->who.is_main) s->op.since = tm_main_wait_begin();
  tm_about_to_block(t, &s->op);
  return true;
}

void tm_links_order(const tm_link *links, uint32_t count, bool before) {
  if (TM_LIKELY(!tm_fibres_on)) return;
  for (uint32_t i = 0; i < count; i++) {
    const void *alone = links[i].queue, *shared = (const char *)alone + sizeof(void *);
    bool is_alone = links[i].mode == TM_EXCLUSIVE;
    if (before) tm_order_end(alone);
    if (before && is_alone) tm_order_end(shared);
    if (!before) tm_order_add(is_alone ? alone : shared);
  }
}

void tm_links_enter(tm_thread *t, const tm_link *links, uint32_t count,
                    const uintptr_t site[TM_SITE]) {
  tm_links_order(links, count, true);
  for (uint32_t i = 0; i < count; i++) {
    const tm_link *link = &links[i];
    tm_hold hold = {.object = link->queue,
                    .context = tm_context(t, link->queue, link->kind, link->mode),
                    .kind = (uint8_t)link->kind,
                    .mode = (uint8_t)link->mode};
    tm_site_copy(hold.site, site);
    tm_hold_add(t, &hold);
    if (tm_passes_order(link->queue)) tm_history_take(t, link);
  }
}

void tm_links_leave(tm_thread *t, const tm_link *links, uint32_t count) {
  tm_links_order(links, count, false);
  for (uint32_t i = count; i-- > 0;) {
    tm_hold *h = tm_hold_find(t, links[i].queue);
    if (h && !(h->flags & TM_HOLD_BASE)) tm_hold_remove(t, h);
  }
}

static void run_here(tm_thread *t, tm_section *s) {
  tm_wait_end(t);
  if (TM_UNLIKELY(s->op.since != 0)) tm_main_wait_over(t, &s->op);
  if (TM_UNLIKELY(s->op.inversion != NULL)) tm_inversion_pass(t, &s->op);
  tm_links_enter(t, s->links, s->count, s->op.site);
  tm_point_begin(t, TM_POINT_BEGIN, s->op.site);
  s->work(s->context);
  tm_links_leave(t, s->links, s->count);
}

/* Runs the work on another thread than the caller's, which happens for the main queue. The work is
 * a strand of its own: it begins after the caller's moment, and ends before the caller goes on. */
static void run_elsewhere(tm_thread *t, tm_section *s) {
  tm_aside aside;
  if (s->op.inversion) tm_inversion_pass(s->thread, &s->op);
  tm_beginning beginning = {
      .known = {.from = s->from}, .edge = &s->sent, .scope = s->scope, .continues = t->who.is_main};
  if (TM_UNLIKELY(tm_fibres_on))
    beginning.errand = tm_errand_number(TM_RACE_BLOCK, s->origin.runs.queue, s->op.site);
  tm_strand_begin(t, &beginning, &s->origin, &aside);
  tm_links_enter(t, s->links, s->count, s->op.site);
  s->work(s->context);
  tm_links_leave(t, s->links, s->count);
  s->end = tm_clock_keep(tm_strand_over(t).clock);
  tm_edge_add(&s->sent);
  tm_strand_end(t, &aside);
}

void tm_section_run(void *context) {
  tm_section *s = context;
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  if (t == s->thread) run_here(t, s);
  else if (t && !t->ground.inside) run_elsewhere(t, s);
  else s->work(s->context);
}

void tm_section_does(tm_section *s, dispatch_function_t work, void *context) {
  if (s->work == tm_profile_work) {
    tm_profiled_work *profiled = s->context;
    profiled->work = work, profiled->context = context;
  } else {
    s->work = work, s->context = context;
  }
}

TM_GATE_CODE_END
#endif
