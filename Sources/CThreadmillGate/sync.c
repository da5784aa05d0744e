#ifdef __linux__
#include "barrier.h"
#include "base.h"
#include "section.h"
#include "block.h"
#include "inversion.h"
#include "profile.h"
#include "shake.h"
#include "threadmill_decisions.h"
#include "view.h"

TM_GATE_CODE_BEGIN

/* `sync`: the caller waits for the queue and its serial targets, holds them while the work runs, on
 * whatever thread. */

static void describe_link(const tm_link *link, const tm_operation *op, tm_object_view *view) {
  tm_object_describe(link->queue, link->kind, link->mode, view);
  tm_site_copy(view->site, op->site);
}

static void report_reentry(tm_thread *t, tm_section *s, uint32_t culprit) {
  tm_view_room room;
  tm_thread_view view;
  tm_object_view chain[TM_CHAIN];
  tm_quiet before = tm_upcall_begin(t);
  tm_view_self(t, s->op.frame, NULL, &room, &view);
  for (uint32_t i = 0; i <= culprit; i++) describe_link(&s->links[i], &s->op, &chain[i]);
  view.wanted = chain[0];
  tm_tell_certain(&view, TM_QUEUE_REENTRY, chain, culprit + 1);
  tm_upcall_end(t, before);
}

static bool waits_for_itself(tm_thread *t, const tm_link *link) {
  if (link->queue == tm_main_queue && t->is_main) return true;
  const tm_hold *h = tm_hold_find(t, link->queue);
  return h && tm_excludes(h->mode, link->mode);
}

/* The main thread holds the main queue; that matters only once another thread waits for it. */
static void want_main_queue(void) {
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->next))
    if (u->is_main && u->held_count == 0) u->attention = TM_ATTENDS_MAIN_QUEUE | tm_attention(u);
}

static void approach(tm_thread *t, tm_section *s, const tm_link *link) {
  s->op.object = link->queue;
  s->op.kind = link->kind;
  s->op.mode = link->mode;
  if (link->queue == tm_main_queue) want_main_queue();
  if (TM_UNLIKELY(tm_is_steered(t))) tm_steer(t, &s->op);
  if (t->held_count && tm_is_new(t, link->queue, link->mode)) tm_nested(t, &s->op);
}

/* The one in the chain that somebody else has, or the queue itself. */
static const tm_link *obstacle(tm_thread *t, const tm_section *s) {
  for (uint32_t i = 1; i < s->count; i++)
    if (tm_held_by_other(t, s->links[i].queue, s->links[i].mode)) return &s->links[i];
  return &s->links[0];
}

bool tm_section_wait(tm_thread *t, tm_section *s) {
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
  if (t->is_main) s->op.since = tm_main_wait_begin();
  tm_about_to_block(t, &s->op);
  return true;
}

void tm_links_enter(tm_thread *t, const tm_link *links, uint32_t count,
                    const uintptr_t site[TM_SITE]) {
  for (uint32_t i = 0; i < count; i++) {
    tm_operation op = {.object = links[i].queue, .kind = links[i].kind, .mode = links[i].mode};
    tm_site_copy(op.site, site);
    tm_hold_push(t, &op, 0);
    if (atomic_load_explicit(tm_generation(links[i].queue), memory_order_relaxed) & 1)
      tm_history_take(t, &links[i]);
  }
}

void tm_links_leave(tm_thread *t, const tm_link *links, uint32_t count) {
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
  tm_point_begin(t, s->op.site);
  s->work(s->context);
  tm_links_leave(t, s->links, s->count);
}

/* The main queue's work runs on the main thread, whoever waits for it: a strand of its own between
 * caller and caller. */
static void run_elsewhere(tm_thread *t, tm_section *s) {
  tm_aside aside;
  if (s->op.inversion) tm_inversion_pass(s->thread, &s->op);
  tm_strand_begin(t, s->from, s->scope, &s->origin, &aside);
  tm_links_enter(t, s->links, s->count, s->op.site);
  s->work(s->context);
  tm_links_leave(t, s->links, s->count);
  s->end = tm_clock_keep(tm_strand_over(t).clock);
  tm_strand_end(t, &aside);
}

void tm_section_run(void *context) {
  tm_section *s = context;
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  if (t == s->thread) run_here(t, s);
  else if (t && !t->inside) run_elsewhere(t, s);
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

static void finish(tm_thread *t, tm_section *s) {
  tm_wait_end(t);
  if (TM_UNLIKELY(s->op.inversion != NULL)) tm_inversion_end(t, &s->op);
  if (s->end) {
    tm_learn(t, (tm_stamp){s->end, 0, 0});
    tm_clock_drop(s->end);
  }
  tm_stamp_drop(&s->from);
}

typedef void (*sync_function)(void *, void *, dispatch_function_t);
typedef void (*sync_block_function)(void *, void *);

static sync_block_function as_barrier(sync_block_function real) {
  if (real == TM_REAL(dispatch_sync)) return TM_REAL(dispatch_barrier_sync);
  if (real == TM_REAL(dispatch_async_and_wait)) return TM_REAL(dispatch_barrier_async_and_wait);
  return real;
}

/* A work item keeps its identity and its flags: it goes to the real function as it is, and enters
 * the section when it begins. */
static void sync_item(tm_thread *t, tm_section *s, void *queue, void *item,
                      sync_block_function real) {
  if (tm_barrier_is_lost(item)) real = as_barrier(real);
  tm_section *outer = t->pending;
  t->pending = s;
  real(queue, item);
  t->pending = outer;
}

TM_INLINE void sync_really(tm_thread *t, tm_section *s, void *queue, void *block,
                           sync_function real, sync_block_function real_block) {
  if (block && tm_block_is_item(block)) sync_item(t, s, queue, block, real_block);
  else real(queue, s, tm_section_run);
}

/* The queue that was asked for stands for what it leads to. */
TM_SLOW static void sync_profiled(tm_thread *t, tm_section *s, void *queue, void *block,
                                  sync_function real, sync_block_function real_block) {
  tm_profiled_work profiled = {.work = s->work, .context = s->context};
  if (s->count) {
    tm_operation op = s->op;
    op.object = s->links[0].queue, op.kind = s->links[0].kind, op.mode = s->links[0].mode;
    s->work = tm_profile_work, s->context = &profiled;
    tm_profile_waits(t, &op, &profiled.wait);
  }
  sync_really(t, s, queue, block, real, real_block);
  tm_profile_worked(t, &profiled, s->op.frame);
}

static void synced(tm_thread *t, void *queue, bool barrier, void *block, tm_section *s,
                   sync_function real, sync_block_function real_block) {
  s->thread = t;
  s->op.action = TM_ACQUIRE;
  s->count = tm_queue_chain(queue, barrier, s->links);
  tm_site_take(t, s->op.frame, s->op.site);
  if (queue == tm_main_queue) {
    s->from = tm_stamp_take(t);
    s->scope = tm_current_scope();
    s->origin = t->origin;
    s->origin.path = tm_path_of_child(t);
  }
  if (!tm_section_wait(t, s)) s->work(s->context);
  else if (TM_UNLIKELY(tm_is_profiling(t))) sync_profiled(t, s, queue, block, real, real_block);
  else sync_really(t, s, queue, block, real, real_block);
  finish(t, s);
}

static void invoke(void *block) { ((tm_block *)block)->invoke(block); }

#define TM_SYNC(name, barrier)                                                                 \
  TM_EXPORT void name(dispatch_queue_t queue, dispatch_block_t block) {                        \
    tm_caller tm_who;                                                                          \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                        \
    if (!t) return TM_REAL(name)(queue, block);                                                \
    tm_section s = {.op.frame = __builtin_frame_address(0), .work = invoke, .context = block}; \
    TM_POINT(t, BEFORE, queue);                                                                \
    synced(t, queue, barrier, block, &s, TM_REAL(name##_f), TM_REAL(name));                    \
    TM_POINT(t, AFTER, NULL);                                                                  \
  }                                                                                            \
  TM_EXPORT void name##_f(dispatch_queue_t queue, void *context, dispatch_function_t work) {   \
    tm_caller tm_who;                                                                          \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                        \
    if (!t) return TM_REAL(name##_f)(queue, context, work);                                    \
    tm_section s = {.op.frame = __builtin_frame_address(0), .work = work, .context = context}; \
    TM_POINT(t, BEFORE, queue);                                                                \
    synced(t, queue, barrier, NULL, &s, TM_REAL(name##_f), NULL);                              \
    TM_POINT(t, AFTER, NULL);                                                                  \
  }

TM_SYNC(dispatch_sync, false)
TM_SYNC(dispatch_barrier_sync, true)
TM_SYNC(dispatch_async_and_wait, false)
TM_SYNC(dispatch_barrier_async_and_wait, true)

TM_GATE_CODE_END
#endif
