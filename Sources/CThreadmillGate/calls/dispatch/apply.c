#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "seam/point.h"
#include "seam/users_call.h"
#include "strand/clock.h"
#include "strand/course.h"
#include "strand/errand.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The iterations of an apply are strands of their own, also those that happen to run on the
 * caller's thread. */
typedef struct loop {
  tm_stamp from;
  uint32_t scope;
  tm_origin origin; /* the caller's, but for the path */
  uintptr_t site[TM_SITE];
  void *context;
  void (*work)(void *, size_t);
  tm_shared_clock end;
  tm_edge sent, ended;
  uint32_t errand;
} loop;

static void iterate(void *context, size_t index) {
  loop *l = context;
  tm_thread *t = tm_is_active() ? (tm_self ? tm_self : tm_thread_attach()) : NULL;
  if (!t || t->ground.inside) {
    tm_edge_end(&l->sent);
    l->work(l->context, index);
    return tm_edge_add(&l->ended);
  }
  tm_aside aside;
  tm_origin origin = l->origin;
  if (TM_UNLIKELY(origin.path != 0)) origin.path = tm_mix(origin.path, index) | 1;
  tm_beginning beginning = {.known = {.from = l->from},
                            .edge = &l->sent,
                            .scope = l->scope,
                            .errand = l->errand};
  tm_strand_begin(t, &beginning, &origin, &aside);
  tm_point_begin(t, TM_POINT_BEGIN, l->site);
  l->work(l->context, index);
  tm_shared_clock_add(&l->end, tm_strand_over(t));
  tm_edge_add(&l->ended);
  tm_strand_end(t, &aside);
}

static void apply(tm_thread *t, void *frame, size_t count, dispatch_queue_t queue, loop *l) {
  l->from = tm_stamp_take(t);
  l->scope = tm_current_scope();
  l->origin = t->strand.origin;
  l->origin.path = tm_path_of_child(t);
  tm_site_take(t, frame, l->site);
  if (TM_UNLIKELY(tm_fibres_on)) l->errand = tm_errand_number(TM_RACE_ITERATION, NULL, l->site);
  tm_edge_begin(&l->sent);
  tm_edge_begin(&l->ended);
  TM_STRAND_REAL(dispatch_apply_f)(count, queue, l, iterate);
  tm_edge_end(&l->ended);
  tm_shared_clock_learn(t, &l->end);
  tm_shared_clock_drop(&l->end);
  tm_stamp_drop(&l->from);
}

static void invoke_at(void *block, size_t index) {
  ((void (*)(void *, size_t))(void *)((tm_block *)block)->invoke)(block, index);
}

TM_EXPORT void dispatch_apply(size_t count, dispatch_queue_t queue, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_apply)(count, queue, block);
  loop l = {.context = block, .work = invoke_at};
  TM_POINT(t, BEFORE, queue);
  apply(t, __builtin_frame_address(0), count, queue, &l);
}

TM_EXPORT void dispatch_apply_f(size_t count, dispatch_queue_t queue, void *context,
                                void (*work)(void *, size_t)) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_apply_f)(count, queue, context, work);
  loop l = {.context = context, .work = work};
  TM_POINT(t, BEFORE, queue);
  apply(t, __builtin_frame_address(0), count, queue, &l);
}

TM_GATE_CODE_END
#endif
