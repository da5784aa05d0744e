/* The recording of a run (trace=true): the holds and waits of threads and the work that they ran,
 * each with its times.
 *
 * Free when off: the profile's measuring calls write it, and the same check as the profile's turns
 * it on. It is a ring, so that it has the end of a long run; lost events are counted. */
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
  uint64_t outer_began, outer_flow; /* those of the run inside which this one begins */
} tm_trace_run;
tm_trace_run tm_trace_run_begin(tm_thread *, tm_stamp from);
void tm_trace_run_end(tm_thread *, tm_trace_run, bool job, const uintptr_t site[TM_SITE]);

TM_INLINE bool tm_is_traced(const tm_thread *t) {
  return tm_is_profiling(t) && tm_settings_now.trace;
}
#endif
