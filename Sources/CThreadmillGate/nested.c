#ifdef __linux__
#include "base.h"
#include "control.h"
#include "postponed.h"
#include "view.h"
#include "swift_task.h"
#include "threadmill_decisions.h"
#include <string.h>

TM_GATE_CODE_BEGIN

void tm_hold_remove_inner(tm_thread *t, tm_hold *gone) {
  uint32_t index = gone - t->held;
  tm_copy(gone, gone + 1, (t->held_count - index - 1) * sizeof(tm_hold));
  uint32_t count = t->held_count - 1;
  t->held_count = index;
  for (uint32_t i = index; i < count; i++) {
    t->held[i].context = tm_context(t, t->held[i].object, t->held[i].mode);
    t->held_count = i + 1;
  }
}

bool tm_still_owns(const tm_thread *t, const tm_hold *h) {
  switch (h->kind) {
  case TM_MUTEX:
  case TM_TASK_STATUS_LOCK: {
    const pthread_mutex_t *m = h->object;
    return m->__data.__lock != 0 && m->__data.__owner == t->tid;
  }
  case TM_RWLOCK: return ((const pthread_rwlock_t *)h->object)->__data.__readers != 0;
  case TM_SEMAPHORE: return !tm_object_is_marked(h->object, TM_OBJECT_NO_LOCK);
  default: return true;
  }
}

/* Drops what only seems to be held, before anybody draws conclusions from it. */
static void drop_stale(tm_thread *t) {
  for (uint32_t i = t->held_count; i-- > 0;)
    if (!tm_still_owns(t, &t->held[i])) tm_hold_remove(t, &t->held[i]);
}

static bool is_recursive(const tm_operation *op) {
  return op->kind == TM_TASK_STATUS_LOCK ||
         (op->kind == TM_MUTEX && tm_mutex_type(op->object) == PTHREAD_MUTEX_RECURSIVE_NP);
}

tm_thread *tm_holder(const void *object) {
  tm_thread *t = tm_self;
  bool usable = t && tm_is_active() && !t->inside;
  return usable && tm_hold_find(t, object) ? t : NULL;
}

void tm_runtime_releases(tm_thread *t, const tm_operation *op) {
  if (op->orders && op->action == TM_RELEASE) tm_object_leave_knowledge(t, op->object, TM_MUTEX);
}

void tm_runtime_acquired(tm_thread *t, const tm_operation *op) {
  bool acquires = op->action == TM_ACQUIRE || op->action == TM_TRY;
  if (op->orders && acquires && op->result == 0) tm_object_take_stamp(t, op->object);
}

static bool is_runtimes_status_lock(tm_operation *op) {
  if (op->kind != TM_MUTEX || op->action == TM_CREATE || !is_recursive(op)) return false;
  op->kind = TM_TASK_STATUS_LOCK;
  return true;
}

/* The lock classes are one source file of Foundation, so their code lies together, protocol
 * witnesses without a name included. Where NSLock is not found, all of Foundation counts as such.
 */
enum { LOCK_CLASSES_CODE = 4096 };
static bool is_near_lock_classes(uintptr_t address) {
  uintptr_t lock = (uintptr_t)tm_real.foundation_lock;
  return !lock || address - lock + LOCK_CLASSES_CODE < 2 * LOCK_CLASSES_CODE;
}

static tm_part look_up_part(uintptr_t address) {
  tm_location place;
  if (is_near_lock_classes(address)) return TM_PART_LOCKS;
  bool named = tm_locate(address, &place) && place.symbol;
  return named && strstr(place.symbol, "Operation") ? TM_PART_OPERATIONS : TM_PART_OTHER;
}

/* NSLock and its like lock for whoever calls them; operations and their queues hand states over,
 * which the nearest exported name tells. To find that takes the linker 0.1 ms, so the answer is
 * kept for the whole process: an address and, below it, the part. A place taken by another address
 * is left alone as long as a neighbour is free. */
enum { KNOWN_CODE = 2048, NEIGHBOURS = 8 };
static _Atomic uint64_t known_code[KNOWN_CODE];

static tm_part part_of_foundation(uintptr_t address) {
  uint64_t first = (address * 0x9E3779B97F4A7C15u) >> 53;
  uint64_t entry = 0;
  _Atomic uint64_t *place = NULL;
  for (uint64_t i = 0; i < NEIGHBOURS; i++) {
    place = &known_code[(first + i) % KNOWN_CODE];
    entry = atomic_load_explicit(place, memory_order_relaxed);
    if (entry >> 8 == address) return (tm_part)(entry & 0xff);
    if (!entry) break;
  }
  tm_part part = look_up_part(address);
  atomic_store_explicit(place, (uint64_t)address << 8 | part, memory_order_relaxed);
  return part;
}

bool tm_is_watched(tm_thread *t, tm_operation *op, tm_caller who) {
  who &= ~TM_CALLER_FLAGS;
  if (who == TM_CALLER_USER || op->action == TM_DESTROY || op->action == TM_SLEEP) return true;
  if (op->action == TM_RELEASE && tm_hold_find(t, op->object)) return true;
  tm_part part = who == TM_CALLER_FOUNDATION ? part_of_foundation(op->site[0]) : TM_PART_OTHER;
  op->orders = who == TM_CALLER_RUNTIME || part == TM_PART_OPERATIONS;
  if (who == TM_CALLER_RUNTIME) return is_runtimes_status_lock(op);
  return op->kind != TM_MUTEX || part == TM_PART_LOCKS;
}

static tm_relock_result relock(const tm_hold *h, const tm_operation *op) {
  return tm_relock(
      (tm_relock_signs){.kind = op->kind,
                        .held = h->mode,
                        .wanted = op->mode,
                        .recursive = is_recursive(op),
                        .checks_errors = op->kind == TM_MUTEX &&
                                         tm_mutex_type(op->object) == PTHREAD_MUTEX_ERRORCHECK_NP});
}

static bool take_again(tm_thread *t, tm_hold *h, tm_operation *op) {
  tm_relock_result result = relock(h, op);
  if (result == TM_RELOCK_COUNTS) op->again = true;
  if (result != TM_RELOCK_HANGS) return true;
  tm_view_room room;
  tm_thread_view view;
  tm_quiet before = tm_upcall_begin(t);
  tm_view_self(t, op->frame, op, &room, &view);
  tm_tell_certain(&view, TM_RELOCK, NULL, 0);
  tm_upcall_end(t, before);
  op->pretended = tm_settings_now.continue_after_reentry;
  return !tm_settings_now.continue_after_reentry;
}

static void remember(tm_thread *t, uint64_t context) {
  tm_seen *seen = &t->seen[context >> 52];
  uint32_t left = seen->context == context ? seen->left - 1 : TM_REPEATS;
  *seen = (tm_seen){context, t->epoch, left};
}

static void tell_or_postpone(tm_thread *t, tm_operation *op) {
  tm_view_room room;
  tm_thread_view view;
  tm_view_note_self(t, op->frame, op, &room, &view);
  for (uint32_t i = 0; i < t->held_count; i++)
    if (t->held[i].kind == TM_TASK_STATUS_LOCK) tm_postponed_tell();
  if (op->kind == TM_TASK_STATUS_LOCK && tm_postpone(t, &view)) return;
  tm_tell_nested(&view, &room);
}

/* By places instead of objects: the same in each schedule of an exploration. */
static uint64_t name_of_order(const tm_thread *t, const tm_operation *op) {
  uint64_t name = tm_mix(tm_mix(op->kind, op->site[0]), op->site[1]);
  for (uint32_t i = 0; i < t->held_count; i++)
    name = tm_mix(tm_mix(name, t->held[i].site[0]), t->held[i].site[1]);
  return name | 1;
}

/* A context that was not seen before. Returns false if the real function must not be called. */
TM_SLOW bool tm_nested(tm_thread *t, tm_operation *op) {
  drop_stale(t);
  if (t->held_count == 0) return true;
  tm_hold *h = tm_hold_find(t, op->object);
  if (h) return take_again(t, h, op);
  remember(t, tm_context(t, op->object, op->mode));
  if (TM_UNLIKELY(t->seat != NULL) && tm_control_knows_order(name_of_order(t, op))) return true;
  tm_swift_task_learn(t);
  tm_quiet before = tm_upcall_begin(t);
  tell_or_postpone(t, op);
  tm_upcall_end(t, before);
  return true;
}

/* A mutex is used with a condition: whoever enters comes after whoever signalled. */
void tm_ordered_section_begins(tm_thread *t, const tm_operation *op) {
  if (op->kind == TM_MUTEX) tm_object_take_stamp(t, op->object);
}

TM_SLOW void tm_release_failed(tm_thread *t, const void *object, tm_kind kind, void *frame) {
  tm_operation op = {.object = object, .kind = kind, .mode = TM_EXCLUSIVE, .frame = frame};
  tm_site_take_near(t, frame, op.site);
  tm_hold_push(t, &op, 0);
}

/* Released by a thread that does not hold it. If another one does, it is not used as a lock: what
 * happens under it is no critical section, and no order is to be derived from it. */
TM_SLOW void tm_released_elsewhere(tm_thread *t, tm_operation *op) {
  bool held = false;
  for (tm_thread *u = atomic_load(&tm_threads); u && !held; u = atomic_load(&u->next))
    held = u != t && atomic_load(&u->live) && tm_hold_find(u, op->object);
  if (held) tm_object_is_no_lock(t, op->object);
}

TM_GATE_CODE_END
#endif
