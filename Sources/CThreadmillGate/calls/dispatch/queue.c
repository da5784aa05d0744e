#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/expectations.h"
#include "object/object.h"
#include "object/pools.h"
#include "object/queue.h"
#include "object/suspension.h"
#include "seam/users_call.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_views.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { OVERCOMMIT = 2 }; /* a flag of root queues */

static void born(tm_thread *t, tm_caller who, const void *queue, void *frame) {
  tm_link links[TM_CHAIN];
  tm_kind kind = tm_queue_chain(queue, false, links) ? links[0].kind : TM_CONCURRENT_QUEUE;
  /* The label is copied: the queue may be gone when a report needs it. */
  tm_object_born(t, queue, kind, (int32_t)tm_text_keep(tm_queue_label(queue)), frame);
  if (who == TM_CALLER_RUNTIME) tm_object_mark(queue, TM_OBJECT_RUNTIMES);
  tm_suspension_begins(queue, kind);
  tm_expectations_look(queue, tm_queue_label(queue));
}

/* Makes a queue whose work gets a thread for each job that may run at once: its root queue
 * overcommits. A root queue that does not overcommit has one thread per core, and gets one more
 * each second. */
static dispatch_queue_t widen(const char *label, void *attribute) {
  unsigned (*class_of)(const void *, int *) =
      TM_HELPER(unsigned (*)(const void *, int *), dispatch_queue_get_qos_class);
  void *(*global)(intptr_t, uintptr_t) =
      TM_HELPER(void *(*)(intptr_t, uintptr_t), dispatch_get_global_queue);
  void (*release)(void *) = tm_real.dispatch_release;
  dispatch_queue_t plain = TM_REAL(dispatch_queue_create)(label, attribute);
  dispatch_queue_t root = class_of && global ? global(class_of(plain, NULL), OVERCOMMIT) : NULL;
  if (!root) return plain;
  release(plain);
  return TM_REAL(dispatch_queue_create_with_target)(label, attribute, root);
}

static bool is_runtimes(void *return_address) {
  return tm_caller_find((uintptr_t)return_address) == TM_CALLER_RUNTIME;
}

static bool is_too_narrow(void *return_address) {
  return tm_settings_now.pool && is_runtimes(return_address) && tm_settings_now.pool > tm_cores();
}

/* The runtime calls it when it sets up a queue for its jobs of one priority. */
TM_EXPORT void dispatch_queue_set_width(dispatch_queue_t queue, long width) {
  bool jobs = is_runtimes(__builtin_return_address(0));
  if (jobs) tm_workers_prepare(queue);
  if (jobs && tm_settings_now.pool) width = tm_settings_now.pool;
  TM_REAL(dispatch_queue_set_width)(queue, width);
}

TM_EXPORT dispatch_queue_t dispatch_queue_create(const char *label, void *attribute) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_queue_t made = is_too_narrow(__builtin_return_address(0))
                              ? widen(label, attribute)
                              : TM_REAL(dispatch_queue_create)(label, attribute);
  if (t && made) born(t, tm_who, made, __builtin_frame_address(0));
  return made;
}

TM_EXPORT dispatch_queue_t dispatch_queue_create_with_target(const char *label, void *attribute,
                                                             dispatch_queue_t target) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_queue_t made = TM_REAL(dispatch_queue_create_with_target)(label, attribute, target);
  if (t && made) born(t, tm_who, made, __builtin_frame_address(0));
  return made;
}

TM_EXPORT void dispatch_set_target_queue(dispatch_object_t object, dispatch_queue_t target) {
  TM_REAL(dispatch_set_target_queue)(object, target);
}

/* From here on workers drain the main queue: the main thread no longer counts as its holder, and
 * runs no code of the user's any more. */
TM_EXPORT void dispatch_main(void) {
  tm_thread *t = tm_self;
  if (t && t->who.is_main) {
    t->who.is_main = false;
    tm_main_queue_is_free = true;
    t->who.is_library = true;
    if (t->holds.held_count && t->held.locks[0].flags & TM_HOLD_BASE)
      tm_hold_remove(t, &t->held.locks[0]);
  }
  TM_REAL(dispatch_main)();
}

TM_GATE_CODE_END
#endif
