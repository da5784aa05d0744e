#ifdef __linux__
#include "ground/base.h"
#include "observe/watched.h"
#include "code/caller.h"
#include "ground/lock_classes.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/object.h"
#include "observe/leaving.h"
#include "strand/edge.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

void tm_runtime_releases(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(t->observe.leaving != NULL)) tm_leaving_before(t, op);
  if (op->action != TM_RELEASE) return;
  bool reads = op->reads && tm_fibres_on;
  if (reads) AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  if (op->orders && !reads) tm_object_leave_knowledge(t, op->object, TM_MUTEX);
}

/* Marks a lock when an operation or its queue makes it: the initialiser has a name that the gate
 * can find, but some functions that take the lock are local and have none. */
static void mark_lock_of_states(const tm_operation *op) {
  tm_object *o = tm_object_have(op->object, TM_MUTEX);
  if (!o) return;
  o->flags |= TM_OBJECT_STATES;
  tm_object_release(op->object);
}

void tm_runtime_acquired(tm_thread *t, const tm_operation *op) {
  if (op->action == TM_CREATE && op->states) mark_lock_of_states(op);
  bool acquires = op->action == TM_ACQUIRE || op->action == TM_TRY;
  if (op->orders && acquires && op->result == 0) tm_object_take_stamp(t, op->object);
  bool read = op->reads && tm_fibres_on && op->action == TM_RELEASE;
  if (read) AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  if (TM_UNLIKELY(t->observe.leaving != NULL)) tm_leaving_after(t, op);
}

static bool is_runtimes_status_lock(tm_operation *op) {
  if (op->kind != TM_MUTEX || op->action == TM_CREATE || !tm_is_recursive(op)) return false;
  op->kind = TM_TASK_STATUS_LOCK;
  return true;
}

/* NSLock and the other lock classes lock for their callers; operations and their queues hand states
 * over. The place of the code tells the two apart. Its look-up takes the linker 0.1 ms, so the
 * answer is kept for the whole process. A place taken by another address is left alone as long as a
 * neighbour is free. */
enum { NEIGHBOURS = 8 };
_Atomic uint64_t tm_known_code[TM_KNOWN_CODE];

static tm_part part_of_foundation(uintptr_t address) {
  ptrdiff_t first = tm_known_code_of(address) - tm_known_code;
  uint64_t entry = 0;
  _Atomic uint64_t *place = NULL;
  for (ptrdiff_t i = 0; i < NEIGHBOURS; i++) {
    place = &tm_known_code[(first + i) % TM_KNOWN_CODE];
    entry = atomic_load_explicit(place, memory_order_relaxed);
    if (entry >> 8 == address) return (tm_part)(entry & 0xff);
    if (!entry) break;
  }
  tm_part part = tm_part_of_foundation(address);
  atomic_store_explicit(place, (uint64_t)address << 8 | part, memory_order_relaxed);
  return part;
}

bool tm_is_watched(tm_thread *t, tm_operation *op, tm_caller who) {
  who &= ~TM_CALLER_FLAGS;
  if (who == TM_CALLER_USER || op->action == TM_SLEEP) return true;
  if (op->action == TM_RELEASE && tm_hold_find(t, op->object)) return true;
  tm_part part = who == TM_CALLER_FOUNDATION ? part_of_foundation(op->site[0]) : TM_PART_OTHER;
  op->foundations = part == TM_PART_LOCKS;
  op->reads = part == TM_PART_OPERATION_READS;
  op->states = part == TM_PART_OPERATIONS;
  op->orders = who == TM_CALLER_RUNTIME || op->states || op->reads ||
               (op->action == TM_DESTROY && !op->foundations) ||
               (part == TM_PART_UNNAMED && tm_object_is_marked(op->object, TM_OBJECT_STATES));
  if (op->action == TM_DESTROY) return true;
  if (who == TM_CALLER_RUNTIME) return is_runtimes_status_lock(op);
  return op->kind != TM_MUTEX || part == TM_PART_LOCKS;
}

TM_GATE_CODE_END
#endif
