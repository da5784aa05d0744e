#ifdef __linux__
#include "ground/base.h"
#include "tell/postponed.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/strand.h"
#include "tell/view.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Keeps views of lock orders into a task's status lock; `tm_nested` calls it (see postponed.h for
 * why). A view points into the caller's stack, so it is packed into one block of the pool. */

/* A packed view. Three arrays follow HEAD bytes of it: the holds, the queues of the work that the
 * thread runs, and the stack's addresses. */
typedef struct kept {
  tm_thread_view view;
  tm_clock *clock; /* keeps the times alive to which `view.knowledge` points */
  bool runs_something;
  tm_runs_view runs; /* only up to its field `queues` */
} kept;
enum { HEAD = offsetof(kept, runs) + offsetof(tm_runs_view, queues) };

/* A ring of the views that were kept last. If it is full, its oldest view is told. The lock of
 * ThreadmillRuntime, which `tm_upcall_begin` takes, guards it. */
enum { POSTPONED = 1024 };
static kept *all[POSTPONED];
static uint32_t oldest_place;
static bool told; /* `tm_postponed_tell` was called: no view is kept any more */

static uint32_t queues_of(const kept *k) { return k->runs_something ? k->runs.queue_count : 0; }

static size_t size_of(const kept *k) {
  return HEAD + (k->view.held_count + queues_of(k)) * sizeof(tm_object_view) +
         k->view.stack_count * sizeof(uintptr_t);
}

static char *append_bytes(char *end, const void *what, size_t size) {
  tm_copy(end, what, size);
  return end + size;
}

static char *get(char *from, void *what, size_t size) {
  tm_copy(what, from, size);
  return from + size;
}

static kept *pack_view(tm_thread *t, const tm_thread_view *view) {
  kept head = {.view = *view, .runs_something = view->runs != NULL};
  if (view->runs) tm_copy(&head.runs, view->runs, offsetof(tm_runs_view, queues));
  kept *k = tm_pool_take(size_of(&head));
  if (!k) return NULL;
  head.clock = tm_clock_keep(tm_strand_clock(t));
  head.view.knowledge = head.clock ? head.clock->times : NULL;
  char *end = append_bytes((char *)k, &head, HEAD);
  end = append_bytes(end, view->held, view->held_count * sizeof(tm_object_view));
  if (view->runs)
    end = append_bytes(end, view->runs->queues, queues_of(&head) * sizeof(tm_object_view));
  append_bytes(end, view->stack, view->stack_count * sizeof(uintptr_t));
  return k;
}

static void unpack_view(kept *k, tm_view_room *room, tm_thread_view *view) {
  *view = k->view;
  tm_clear(&room->runs, sizeof room->runs);
  tm_copy(&room->runs, &k->runs, offsetof(tm_runs_view, queues));
  char *from = get((char *)k + HEAD, room->held, view->held_count * sizeof(tm_object_view));
  from = get(from, room->runs.queues, queues_of(k) * sizeof(tm_object_view));
  get(from, room->stack, view->stack_count * sizeof(uintptr_t));
  view->held = room->held;
  view->runs = k->runs_something ? &room->runs : NULL;
  view->stack = room->stack;
}

static bool is_there(const tm_object_view *view) {
  return tm_object_is((const void *)view->address, view->id);
}

static uint32_t count_there(tm_object_view *held, uint32_t count) {
  uint32_t there = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_there(&held[i])) held[there++] = held[i];
  return there;
}

/* Returns whether a nesting of this code, whose locks are gone, is the first one of it. */
static bool is_new_past(const tm_thread_view *view) {
  enum { CODES = 64 };
  static uint64_t codes[CODES];
  static uint32_t count;
  const tm_object_view *outer = &view->held[view->held_count - 1];
  uint64_t code = tm_mix(view->scope, (uintptr_t)outer->created);
  for (uint32_t i = 0; i < TM_SITE; i++) code = tm_mix(code, outer->site[i]);
  for (uint32_t i = 0; i < count; i++)
    if (codes[i] == code) return false;
  if (count == CODES) return false;
  codes[count++] = code;
  return true;
}

/* Tells the view if the wanted lock and at least one hold still exist, and frees it. If not, its
 * locks may still say something about their classes. */
static void tell_postponed(kept *k, bool for_room) {
  static tm_view_room room; /* guarded by the runtime's lock: a small stack has none to spare */
  tm_thread_view view;
  unpack_view(k, &room, &view);
  view.past = !for_room && view.held_count && is_new_past(&view);
  if (view.past) tm_tell_past(&view);
  view.past = false;
  view.held_count = count_there(room.held, view.held_count);
  if (view.held_count && is_there(&view.wanted)) tm_tell_nested(&view, &room);
  tm_clock_drop(k->clock);
  tm_pool_give(k, size_of(k));
}

bool tm_postpone(tm_thread *t, const tm_thread_view *view) {
  kept *k = told ? NULL : pack_view(t, view);
  if (!k) return false;
  kept *oldest = all[oldest_place];
  all[oldest_place] = k;
  oldest_place = (oldest_place + 1) % POSTPONED;
  if (oldest) tell_postponed(oldest, true);
  return true;
}

void tm_postponed_tell(void) {
  if (told) return;
  told = true;
  for (uint32_t i = 0; i < POSTPONED; i++)
    if (all[(oldest_place + i) % POSTPONED])
      tell_postponed(all[(oldest_place + i) % POSTPONED], false);
}

TM_GATE_CODE_END
#endif
