#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/barrier.h"
#include "object/expectations.h"
#include "object/item.h"
#include "object/queue.h"
#include "observe/inversion.h"
#include "observe/profile.h"
#include "seam/point.h"
#include "seam/section.h"
#include "seam/users_call.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/course.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

static void finish(tm_thread *t, tm_section *s) {
  tm_wait_end(t);
  if (TM_UNLIKELY(s->op.inversion != NULL)) tm_inversion_end(t, &s->op);
  if (s->end) {
    tm_edge_end(&s->sent);
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

/* A work item keeps its identity and its flags: it goes to the real function unchanged, and enters
 * the section when it begins. */
static void sync_item(tm_thread *t, tm_section *s, void *queue, void *item,
                      sync_block_function real) {
  if (tm_barrier_is_lost(item)) real = as_barrier(real);
  tm_section *outer = t->seam.pending;
  t->seam.pending = s;
  real(queue, item);
  t->seam.pending = outer;
}

TM_INLINE void sync_really(tm_thread *t, tm_section *s, void *queue, void *block,
                           sync_function real, sync_block_function real_block) {
  if (block && tm_block_is_item(block)) sync_item(t, s, queue, block, real_block);
  else real(queue, s, tm_section_run);
}

/* The profile measures the queue that the caller named, which stands for all its targets. */
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
  bool is_expectations = tm_is_expectations(queue);
  if (TM_UNLIKELY(is_expectations)) tm_expectations_leave(t);
  s->count = tm_queue_chain(queue, barrier, s->links);
  tm_site_take(t, s->op.frame, s->op.site);
  tm_edge_begin(&s->sent);
  if (queue == tm_main_queue) {
    s->from = tm_stamp_take(t);
    s->scope = tm_current_scope();
    s->origin = t->strand.origin;
    s->origin.path = tm_path_of_child(t);
  }
  if (!tm_section_wait(t, s)) s->work(s->context);
  else if (TM_UNLIKELY(tm_is_profiling(t))) sync_profiled(t, s, queue, block, real, real_block);
  else sync_really(t, s, queue, block, real, real_block);
  finish(t, s);
  if (TM_UNLIKELY(is_expectations)) tm_expectations_take(t);
}

static void invoke_sync(void *block) { ((tm_block *)block)->invoke(block); }

#define TM_SYNC(name, barrier)                                                                 \
  TM_EXPORT void name(dispatch_queue_t queue, dispatch_block_t block) {                        \
    tm_caller tm_who;                                                                          \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                        \
    if (!t) return TM_REAL(name)(queue, block);                                                \
    tm_section s;                                                                              \
    tm_section_prepare(&s, t, __builtin_frame_address(0), invoke_sync, block);                 \
    TM_POINT(t, BEFORE, queue);                                                                \
    synced(t, queue, barrier, block, &s, TM_REAL(name##_f), TM_REAL(name));                    \
    TM_POINT(t, AFTER, NULL);                                                                  \
  }                                                                                            \
  TM_EXPORT void name##_f(dispatch_queue_t queue, void *context, dispatch_function_t work) {   \
    tm_caller tm_who;                                                                          \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                        \
    if (!t) return TM_REAL(name##_f)(queue, context, work);                                    \
    tm_section s;                                                                              \
    tm_section_prepare(&s, t, __builtin_frame_address(0), work, context);                      \
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
