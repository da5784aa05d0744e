#ifdef __linux__
#include "ground/base.h"
#include "code/code_kind.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/foundation.h"
#include "ground/real.h"
#include "strand/thread.h"
#include <time.h>

TM_GATE_CODE_BEGIN

/* Run loops, as XCTest uses them to wait for expectations: `RunLoop.run(mode:before:)`, the
 * function that ends such a run, and `Thread.isMainThread`, which XCTest asks before, with the
 * function of CoreFoundation behind it. Only explorations look at them. */

#define RUN "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"
#define STOP "$s10Foundation7RunLoopC5_stopyyF"
#define IS_MAIN "$s10Foundation6ThreadC06isMainB0SbvgZ"
#define IS_MAIN_IN_C "_CFIsMainThread"

TM_EXPORT TM_SWIFT bool tm_run_loop_run(uint64_t mode, uint64_t more, double before,
                                        TM_FOUNDATION_SELF) __asm__(RUN);
TM_EXPORT TM_SWIFT void tm_run_loop_stop(TM_FOUNDATION_SELF) __asm__(STOP);
TM_EXPORT TM_SWIFT bool tm_run_loop_is_main(TM_FOUNDATION_SELF) __asm__(IS_MAIN);
TM_EXPORT unsigned char tm_run_loop_is_main_in_c(void) __asm__(IS_MAIN_IN_C);

static void *real_run, *real_stop, *real_is_main, *real_is_main_in_c;
#define LOOP_REAL(name, symbol) \
  ((__typeof__(&tm_run_loop_##name))tm_foundation_function(&real_##name, symbol))

/* The rest of the time until `before`, which counts seconds from 2001 on; 0.1 s at most, as callers
 * look after each run whether they have what they wait for. */
static uint64_t nanoseconds_until(double before) {
  static const double SECOND = 1e9, MOST = 1e8, YEAR_2001 = 978307200;
  struct timespec now = {0};
  tm_control_clock(CLOCK_REALTIME, &now);
  double left = (before + YEAR_2001 - (double)now.tv_sec) * SECOND - (double)now.tv_nsec;
  return left <= 0 ? 0 : (uint64_t)(left < MOST ? left : MOST);
}

/* Its callers give the compiler no hint that this is rare: rare code becomes a function of its own,
 * in which `__builtin_return_address` is another address. */
static bool is_explored(void) {
  return atomic_load_explicit(&tm_controlling, memory_order_relaxed) && tm_seat_here();
}

/* Timers and sources of the loop that are due run first. */
TM_SWIFT bool tm_run_loop_run(uint64_t mode, uint64_t more, double before, TM_FOUNDATION_SELF) {
  if (!is_explored()) return LOOP_REAL(run, RUN)(mode, more, before, self);
  static const double LONG_AGO = -63114076800.0;
  LOOP_REAL(run, RUN)(mode, more, LONG_AGO, self);
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  return tm_control_waits_in_run_loop(self, nanoseconds_until(before), place);
}

TM_SWIFT void tm_run_loop_stop(TM_FOUNDATION_SELF) {
  if (is_explored()) tm_control_stops_run_loop(self);
  LOOP_REAL(stop, STOP)(self);
}

/* Returns whether a flow on the main queue asks. It counts as the main thread, whichever seat runs
 * it. */
static bool plays_main(void) {
  return is_explored() && tm_control_is_on(tm_main_queue);
}

TM_SWIFT bool tm_run_loop_is_main(TM_FOUNDATION_SELF) {
  return plays_main() || LOOP_REAL(is_main, IS_MAIN)(self);
}

/* CoreFoundation itself asks about the real thread, whose run loop it is about to use. */
unsigned char tm_run_loop_is_main_in_c(void) {
  if (plays_main() && !tm_is_library((uintptr_t)__builtin_return_address(0))) return true;
  return LOOP_REAL(is_main_in_c, IS_MAIN_IN_C)();
}

TM_GATE_CODE_END
#endif
