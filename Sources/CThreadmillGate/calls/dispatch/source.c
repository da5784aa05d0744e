#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/timers.h"
#include "ground/tsan.h"
#include "object/item.h"
#include "seam/run_item.h"
#include "seam/users_call.h"
#include "strand/course.h"
#include "strand/strand.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* The addresses on which the gate draws edges for TSan, from the calls that make a source's
 * handlers run (merge of data, cancellation) to the handlers: TSan does not know these two calls.
 * They differ from the addresses that TSan itself uses for a source. */
static const void *merged(const void *source) { return (const char *)source + 16; }
static const void *cancelled(const void *source) { return (const char *)source + 24; }

/* A source's handler runs again and again, each time on its queue and after it was set. It is
 * wrapped like the inside of a work item, and counts as submitted when it was set. */
static void set_handler(tm_thread *t, void *frame, void *source, void *block, const void *woken_by,
                        void (*real)(void *, void *)) {
  bool wrapped = block && tm_item_invoke && !tm_block_is_item(block);
  tm_item *item = wrapped ? tm_pool_take(sizeof(tm_item)) : NULL;
  if (!item) {
    if (block) tm_item_submit(t, frame, block, NULL, NULL, NULL, NULL);
    tm_item *own = block ? tm_item_of(block) : NULL;
    if (own) own->woken_by = woken_by, own->source = source;
    tm_item_drop(own);
    return real(source, block);
  }
  tm_wrapper w = tm_item_wrap(item, block);
  item->woken_by = woken_by;
  item->source = source;
  tm_edge_add(&item->sent);
  item->from = tm_stamp_take(t);
  item->scope = tm_current_scope();
  tm_site_take_whole(t, frame, item->site);
  item->submitter = t->strand.id;
  item->path = tm_path_of_child(t);
  item->submitted = true;
  real(source, &w);
}

#define TM_HANDLER(name, woken_by)                                                      \
  TM_EXPORT void name(dispatch_object_t source, dispatch_block_t block) {               \
    tm_caller tm_who;                                                                   \
    tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                 \
    if (!t) return TM_REAL(name)(source, block);                                        \
    set_handler(t, __builtin_frame_address(0), source, block, woken_by, \
                TM_STRAND_REAL(name));                                                  \
  }

TM_HANDLER(dispatch_source_set_event_handler, merged(source))
TM_HANDLER(dispatch_source_set_cancel_handler, cancelled(source))
TM_HANDLER(dispatch_source_set_registration_handler, NULL)

/* The Swift runtime sets the handlers of its own timers by this call. */
TM_EXPORT void dispatch_source_set_event_handler_f(dispatch_object_t source,
                                                   dispatch_function_t function) {
  TM_REAL(dispatch_source_set_event_handler_f)(source, function);
}

TM_EXPORT void dispatch_source_merge_data(dispatch_object_t source, uintptr_t value) {
  tm_tsan_release(merged(source));
  TM_REAL(dispatch_source_merge_data)(source, value);
}

TM_EXPORT void dispatch_source_cancel(dispatch_object_t source) {
  tm_tsan_release(cancelled(source));
  TM_REAL(dispatch_source_cancel)(source);
}

TM_EXPORT void dispatch_source_set_timer(dispatch_object_t source, dispatch_time_t when,
                                         uint64_t interval, uint64_t leeway) {
  tm_caller tm_who;
  /* libdispatch itself calls this function, too, for the timer by which it watches its pool. */
  if (tm_users_call(__builtin_return_address(0), &tm_who)) tm_timer_note(when, interval);
  TM_REAL(dispatch_source_set_timer)(source, when, interval, leeway);
}

TM_GATE_CODE_END
#endif
