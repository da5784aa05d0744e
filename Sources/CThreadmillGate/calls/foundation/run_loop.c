#ifdef __linux__
#include "ground/base.h"
#include "calls/foundation/run_loop.h"
#include "code/code_kind.h"
#include "control/model.h"
#include "control/run_loops.h"
#include "ground/facts.h"
#include "ground/foundation.h"
#include "ground/real.h"
#include "strand/thread.h"
#include <time.h>

TM_GATE_CODE_BEGIN

/* Run loops, and the questions about the main thread. Only explorations look at them. A flow on
 * the main queue counts as the main thread, whichever seat runs it. Its run loop is the main
 * one. */

/* All runs of a loop go through this function, as all questions for the current loop do through the
 * next one, but for CoreFoundation's own, which the run puts right. */
#define RUN "CFRunLoopRunSpecific"
#define CURRENT "CFRunLoopGetCurrent"
#define IS_MAIN "$s10Foundation6ThreadC06isMainB0SbvgZ"
#define IS_MAIN_IN_C "_CFIsMainThread"
#define FINISHED "_CFRunLoopFinished"
#define STOP "CFRunLoopStop"
/* XCTest waits for expectations by this one. */
#define WAIT "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"

TM_EXPORT int32_t tm_run_loop_run(const void *loop, const void *mode, double seconds,
                                  unsigned char once) __asm__(RUN);
TM_EXPORT const void *tm_run_loop_current(void) __asm__(CURRENT);
TM_EXPORT TM_SWIFT bool tm_run_loop_is_main(TM_FOUNDATION_SELF) __asm__(IS_MAIN);
TM_EXPORT unsigned char tm_run_loop_is_main_in_c(void) __asm__(IS_MAIN_IN_C);
TM_EXPORT unsigned char tm_run_loop_finished(const void *loop,
                                             const void *mode) __asm__(FINISHED);
TM_EXPORT TM_SWIFT bool tm_run_loop_wait(uint64_t mode, uint64_t more, double before,
                                         TM_FOUNDATION_SELF) __asm__(WAIT);
TM_EXPORT void tm_run_loop_stop(const void *loop) __asm__(STOP);

static void *real_run, *real_current, *real_is_main, *real_is_main_in_c, *real_finished,
    *real_wait, *real_stop, *real_main, *real_create, *real_add, *real_remove, *common_modes;

/* Looks the functions up at the start: a look-up takes a lock of the dynamic linker's. */
void tm_run_loops_prepare(void) {
  static const struct {
    void **field;
    const char *symbol;
  } all[] = {
      {&real_run, RUN},
      {&real_current, CURRENT},
      {&real_is_main, IS_MAIN},
      {&real_is_main_in_c, IS_MAIN_IN_C},
      {&real_finished, FINISHED},
      {&real_wait, WAIT},
      {&real_stop, STOP},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    tm_foundation_find(all[i].field, all[i].symbol);
}

#define LOOP_FUNCTION(name, symbol) tm_foundation_function(&real_##name, symbol)
#define LOOP_REAL(name, symbol) ((__typeof__(&tm_run_loop_##name))LOOP_FUNCTION(name, symbol))

/* Its callers give the compiler no hint that this is rare: rare code becomes a function of its own,
 * in which `__builtin_return_address` is another address. */
static bool is_explored(void) {
  return atomic_load_explicit(&tm_controlling, memory_order_relaxed) && tm_seat_here();
}

static bool plays_main(void) { return is_explored() && tm_control_is_on(tm_main_queue); }

static const void *main_loop(void) {
  return ((const void *(*)(void))LOOP_FUNCTION(main, "CFRunLoopGetMain"))();
}

const void *tm_run_loop_current(void) {
  return plays_main() ? main_loop() : LOOP_REAL(current, CURRENT)();
}

/* A source that is never ready. While the main loop has it, CoreFoundation takes that loop for one
 * with something to wait for, as it does on the real main thread because of the main queue. */
typedef void (*source_function)(const void *loop, const void *source, const void *mode);

static const void *idle_source(void) {
  static const void *source;
  const void *context[10] = {NULL};
  typedef const void *(*function)(const void *allocator, long order, const void *context);
  if (!source)
    source = ((function)LOOP_FUNCTION(create, "CFRunLoopSourceCreate"))(NULL, 0, context);
  return source;
}

static void keep_busy(const void *loop, bool is) {
  void *modes = tm_foundation_function(&common_modes, "kCFRunLoopCommonModes");
  void *change = is ? LOOP_FUNCTION(add, "CFRunLoopAddSource")
                    : LOOP_FUNCTION(remove, "CFRunLoopRemoveSource");
  ((source_function)change)(loop, idle_source(), *(const void *const *)modes);
}

unsigned char tm_run_loop_finished(const void *loop, const void *mode) {
  bool main = is_explored() && tm_control_is_outermost() && loop == main_loop();
  if (main) keep_busy(loop, true);
  unsigned char result = LOOP_REAL(finished, FINISHED)(loop, mode);
  if (main) keep_busy(loop, false);
  return result;
}

static int32_t run_under_control(tm_loop_run *run, const void *mode, double seconds) {
  static const double FOR_GOOD = 1e10;
  if (plays_main()) run->loop = main_loop();
  run->main = tm_control_is_outermost();
  run->stop = LOOP_REAL(stop, STOP);
  tm_control_enters_run_loop(run, seconds);
  if (run->main) keep_busy(run->loop, true);
  int32_t result =
      LOOP_REAL(run, RUN)(run->loop, mode, seconds > 0 ? FOR_GOOD : seconds, run->once);
  if (run->main) keep_busy(run->loop, false);
  tm_control_leaves_run_loop(run);
  return result == TM_LOOP_STOPPED && run->end != TM_LOOP_GOES_ON ? (int32_t)run->end : result;
}

int32_t tm_run_loop_run(const void *loop, const void *mode, double seconds, unsigned char once) {
  tm_loop_run run = {.loop = loop, .once = once, .place = (uintptr_t)__builtin_return_address(0)};
  if (!is_explored()) return LOOP_REAL(run, RUN)(loop, mode, seconds, once);
  return run_under_control(&run, mode, seconds);
}

TM_SWIFT bool tm_run_loop_is_main(TM_FOUNDATION_SELF) {
  return plays_main() || LOOP_REAL(is_main, IS_MAIN)(self);
}

/* Foundation itself asks about the real thread, whose object it is about to use. */
unsigned char tm_run_loop_is_main_in_c(void) {
  if (plays_main() && !tm_is_library((uintptr_t)__builtin_return_address(0))) return true;
  return LOOP_REAL(is_main_in_c, IS_MAIN_IN_C)();
}

/* The rest of the time until `before`, which counts seconds from 2001 on; 0.1 s at most, as XCTest
 * looks after each run whether it has what it waits for. */
static uint64_t nanoseconds_until(double before) {
  static const double SECOND = 1e9, MOST = 1e8, YEAR_2001 = 978307200;
  struct timespec now = {0};
  tm_control_clock(CLOCK_REALTIME, &now);
  double left = (before + YEAR_2001 - (double)now.tv_sec) * SECOND - (double)now.tv_nsec;
  return left <= 0 ? 0 : (uint64_t)(left < MOST ? left : MOST);
}

/* On another thread than the main one, XCTest's loop has nothing to wait for, and XCTest asks again
 * and again. */
TM_SWIFT bool tm_run_loop_wait(uint64_t mode, uint64_t more, double before, TM_FOUNDATION_SELF) {
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  bool is_xctest = is_explored() && tm_is_library(place);
  if (!is_xctest) return LOOP_REAL(wait, WAIT)(mode, more, before, self);
  tm_control_is_patient(true);
  bool has_run = LOOP_REAL(wait, WAIT)(mode, more, before, self);
  tm_control_is_patient(false);
  if (!has_run)
    tm_control_waits_in_run_loop(tm_run_loop_current(), nanoseconds_until(before), place);
  return true;
}

/* A loop that does not run is not stopped. A schedule may have left it in the midst of a run, and
 * CoreFoundation then takes it for one that runs. */
void tm_run_loop_stop(const void *loop) {
  if (!is_explored() || tm_control_stops_run_loop(loop)) LOOP_REAL(stop, STOP)(loop);
}

TM_GATE_CODE_END
#endif
