#ifdef __linux__
#include "ground/base.h"
#include "tell/usual.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/fork_mark.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/contexts.h"
#include "strand/part.h"
#include "strand/swift_task.h"
#include "tell/familiar.h"
#include "tell/part.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

static tm_usual *usual_place(tm_thread *t, uintptr_t outer, uintptr_t inner) {
  return &t->tell.usual[((outer ^ inner) >> 2 ^ inner >> 6) % TM_USUAL];
}

/* Returns the only hold of the thread if it is an ordinary mutex, taken once. */
static const tm_hold *only_mutex(const tm_thread *t) {
  const tm_hold *h = &t->held.locks[0], plain = {.kind = TM_MUTEX, .mode = TM_EXCLUSIVE};
  return t->holds.held_count == 1 && h->signs == plain.signs && !h->site[2] ? h : NULL;
}

/* A mutex of the default type that says who has it. */
static bool is_ordinary(const pthread_mutex_t *m) {
  return (m->__data.__kind & ~TM_MUTEX_NO_ELISION) == 0;
}

static bool is_owned(const tm_thread *t, const pthread_mutex_t *m) {
  return m->__data.__lock != 0 && m->__data.__owner == t->ground.tid;
}

static bool is_here(const tm_usual *u, const tm_hold *outer, const uintptr_t site[TM_SITE]) {
  return ((u->outer_site[0] ^ outer->site[0]) | (u->outer_site[1] ^ outer->site[1]) |
          (u->inner_site[0] ^ site[0]) | (u->inner_site[1] ^ site[1])) == 0;
}

bool tm_is_usual(tm_thread *t, const void *mutex, uint64_t context, void *frame) {
  uintptr_t site[TM_SITE];
  tm_tag outer, inner;
  const tm_hold *h = only_mutex(t);
  if (!h || h->object == mutex || !is_ordinary(mutex) || !is_ordinary(h->object)) return false;
  tm_site_take_near(t, frame, site);
  const tm_usual *u = usual_place(t, h->site[0], site[0]);
  if (u->strand != t->strand.id || !is_here(u, h, site)) return false;
  if (tm_is_copy() || tm_settings_now.all_nestings || !is_owned(t, h->object)) return false;
  if (!tm_tag_read(h->object, &outer) || !tm_tag_read(mutex, &inner)) return false;
  if (u->outer_created != outer.created || u->inner_created != inner.created) return false;
  if (tm_swift_task() || tm_current_queue() != u->queue) return false;
  if (!tm_context_can_be_added(t, context)) return false;
  tm_kept_lock locks[2] = {{h->object, outer.id}, {mutex, inner.id}};
  if (!tm_familiar_again(t, u->habit, u->orders_epoch, locks)) return false;
  tm_context_add(t, context);
  return true;
}

/* Returns whether a nesting is the same on this queue as on none, or the habit says that it was on
 * this queue: the main one. */
static bool is_lasting(const void *queue) {
  return !queue || queue == tm_main_queue || tm_queue_is_root(queue);
}

void tm_usual_note(tm_thread *t, const void *mutex, const uintptr_t site[TM_SITE], uint32_t habit,
                   uint32_t orders_epoch) {
  tm_tag outer, inner;
  const tm_hold *h = only_mutex(t);
  const void *queue = tm_current_queue();
  if (!h || site[2] || !is_ordinary(mutex) || !is_ordinary(h->object)) return;
  if (!is_lasting(queue)) return;
  if (!tm_tag_read(h->object, &outer) || !tm_tag_read(mutex, &inner)) return;
  *usual_place(t, h->site[0], site[0]) = (tm_usual){.strand = t->strand.id,
                                                    .orders_epoch = orders_epoch,
                                                    .habit = habit,
                                                    .queue = queue,
                                                    .outer_created = outer.created,
                                                    .inner_created = inner.created,
                                                    .outer_site = {h->site[0], h->site[1]},
                                                    .inner_site = {site[0], site[1]}};
}

TM_GATE_CODE_END
#endif
