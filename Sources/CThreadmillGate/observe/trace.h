/* The recording of a run (trace=true): what threads held, waited for and ran, and when.
 *
 * Free when off: it is written where the profile measures, and attended to in the same way. A ring,
 * so that the end of a long run is there; what it loses is counted. */
#ifndef TM_TRACE_H
#define TM_TRACE_H
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

/* A hold or a wait of a class of the profile; the times are those of `tm_now`. */
void tm_trace_lock(const tm_thread *, tm_traced_kind, uint32_t lock_class, uint64_t began,
                   uint64_t ended);
/* Work that is submitted and later run is known by the moment of its submission. */
void tm_trace_submitted(const tm_thread *, tm_stamp from);
typedef struct tm_trace_run {
  uint64_t outer_began, outer_flow; /* of what this thread was in the middle of */
} tm_trace_run;
tm_trace_run tm_trace_run_begin(tm_thread *, tm_stamp from);
void tm_trace_run_end(tm_thread *, tm_trace_run, bool job, const uintptr_t site[TM_SITE]);

TM_INLINE bool tm_is_traced(const tm_thread *t) {
  return tm_is_profiling(t) && tm_settings_now.trace;
}
#endif
