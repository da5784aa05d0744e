#ifdef __linux__
#include "ground/base.h"
#include "calls/posix/creation.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/blocked.h"
#include "observe/main_queue.h"
#include "observe/race.h"
#include "observe/starvation.h"
#include "seam/point.h"
#include "seam/users_call.h"
#include "strand/attention.h"
#include "strand/clock.h"
#include "strand/course.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/quality.h"
#include "strand/race_mark.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "strand/upcalls.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"
#include "threadmill_views.h"
#include <stdatomic.h>
#include <time.h>

TM_GATE_CODE_BEGIN

typedef struct start {
  void *(*body)(void *);
  void *argument;
  tm_stamp created;
  uint32_t scope;
  bool library;
  uint8_t quality;
  uint32_t creator, place; /* thread and kept stack; for reports of races */
  uint64_t path, maker;    /* see `tm_course` */
  uintptr_t site[TM_SITE]; /* the place of creation; set only under jitter or exploration */
} start;

/* The functions of Foundation by which its threads are told apart. */
typedef enum function { OTHER_FUNCTION, THREAD_START, THREAD_CREATE, PROCESS_RUN } function;

static function look_up(uintptr_t pc) {
  static const char *const names[] = {"", "$s10Foundation6ThreadC5startyyF", "_CFThreadCreate",
                                      "$s10Foundation7ProcessC3runyyKF"};
  tm_location place;
  if (!tm_locate(pc, &place) || !place.symbol) return OTHER_FUNCTION;
  for (function f = THREAD_START; f <= PROCESS_RUN; f++)
    if (tm_text_is(place.symbol, names[f])) return f;
  return OTHER_FUNCTION;
}

/* Returns the function that a return address lies in. The look-up of a symbol takes longer than the
 * creation of a thread, so answers are kept; Foundation is never unloaded. */
static function function_at(uintptr_t pc) {
  enum { ANSWERS = 256, FUNCTION_BITS = 4 };
  static atomic_uintptr_t answers[ANSWERS];
  atomic_uintptr_t *answer = &answers[tm_mix(0, pc) % ANSWERS];
  uintptr_t known = atomic_load_explicit(answer, memory_order_relaxed);
  if (known >> FUNCTION_BITS == pc) return (function)(known & ((1 << FUNCTION_BITS) - 1));
  function f = look_up(pc);
  atomic_store_explicit(answer, pc << FUNCTION_BITS | f, memory_order_relaxed);
  return f;
}

/* Returns the quality of service that the program chose for a Foundation thread; libFoundation
 * stores it and never applies it. `argument` is the `Thread` object: the caller has checked
 * that. */
static uint8_t quality_of(tm_thread *t, void *frame, void *argument) {
  typedef __attribute__((swiftcall)) uint8_t (*getter)(__attribute__((swift_context)) void *self);
  getter quality = (getter)tm_real.thread_quality;
  uintptr_t site[TM_SITE];
  tm_site_take(t, frame, site);
  for (int i = 0; quality && i < TM_SITE && site[i]; i++) {
    if (function_at(site[i]) != THREAD_START) continue;
    /* In the order of `QualityOfService`. Its last case, the default, counts as not chosen. */
    static const uint8_t classes[] = {TM_USER_INITIATED, TM_USER_INITIATED, TM_UTILITY,
                                      TM_BACKGROUND};
    uint8_t chosen = quality(argument);
    return chosen < sizeof classes ? classes[chosen] : 0;
  }
  return 0;
}

/* Runs the thread's body. Its frame is the outermost one that is not libc's: all other frames of
 * the thread lie below it on the stack. */
static void *run(void *context) {
  start s = *(start *)context;
  tm_pool_give(context, sizeof(start));
  tm_thread *t =
      tm_self ? tm_self : tm_thread_attach_below((uintptr_t)__builtin_frame_address(0) + 16);
  if (t) {
    tm_object_died(t, (const void *)t->who.handle);
    tm_learn(t, s.created);
    t->strand.scope = s.scope;
    tm_race_mark(s.scope);
    tm_race_thread_created(t, s.creator, s.place);
    t->who.is_library = s.library;
    t->strand.origin.quality = s.quality;
  }
  tm_stamp_drop(&s.created);
  if (t && TM_UNLIKELY(s.path != 0)) {
    t->strand.course = (tm_course){.path = s.path, .maker = s.maker};
    tm_point_begin(t, TM_POINT_START, s.site);
  }
  return s.body(s.argument);
}

/* Returns whether Foundation starts the thread for itself, such as the one that waits for sockets,
 * or the one that waits for processes: it is made once and serves the whole process, so it is no
 * part of a schedule. */
static bool is_foundations_own(tm_thread *t, uintptr_t return_address, void *frame) {
  enum { FRAMES = 16 };
  if (function_at(return_address) != THREAD_CREATE) return true;
  uintptr_t stack[FRAMES];
  uint32_t count = tm_stack_take(t, frame, stack, FRAMES);
  for (uint32_t i = 0; i < count; i++)
    if (function_at(stack[i]) == PROCESS_RUN) return true;
  return false;
}

bool tm_is_users_start(void *(*body)(void *), const void *argument) {
  return body == run && !((const start *)argument)->library;
}

/* The new thread is watched even if a library creates it: the workers of libdispatch run the user's
 * blocks. */
TM_EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                             void *(*body)(void *), void *restrict argument) {
  __typeof__(&pthread_create) within = tm_creation_within();
  if (TM_UNLIKELY(within != NULL)) return within(thread, attributes, body, argument);
  tm_caller tm_who = TM_CALLER_SYSTEM;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  bool library = !t || tm_who == TM_CALLER_RUNTIME;
  if (tm_who == TM_CALLER_FOUNDATION &&
      atomic_load_explicit(&tm_controlling, memory_order_relaxed) && t && t->control.seat)
    library = is_foundations_own(t, (uintptr_t)__builtin_return_address(0),
                                 __builtin_frame_address(0));
  if (!t && !(t = tm_self)) return TM_REAL(pthread_create)(thread, attributes, body, argument);
  if (!tm_is_active() || t->ground.inside)
    return TM_REAL(pthread_create)(thread, attributes, body, argument);
  start *s = tm_pool_take(sizeof(start));
  if (!s) return TM_REAL(pthread_create)(thread, attributes, body, argument);
  *s = (start){.body = body,
               .argument = argument,
               .created = tm_stamp_take(t),
               .scope = tm_current_scope(),
               .library = library};
  bool shaken = !library && TM_UNLIKELY(tm_is_shaken(t));
  bool has_points = shaken && !tm_creation_is_locked;
  if (has_points)
    tm_point_at(t, TM_CALLER_USER, TM_POINT_BEFORE, NULL, (uintptr_t)__builtin_return_address(0));
  if (shaken) {
    s->path = tm_path_of_child(t);
    s->maker = t->strand.id;
    tm_site_take(t, __builtin_frame_address(0), s->site);
  }
  if (!library) s->creator = t->who.number, s->place = tm_race_place(t, __builtin_frame_address(0));
  if (tm_who == TM_CALLER_FOUNDATION)
    s->quality = quality_of(t, __builtin_frame_address(0), argument);
  int result = TM_REAL(pthread_create)(thread, attributes, run, s);
  if (result != 0) {
    tm_stamp_drop(&s->created);
    tm_pool_give(s, sizeof(start));
  }
  if (has_points)
    tm_point_at(t, TM_CALLER_USER, TM_POINT_AFTER, NULL, (uintptr_t)__builtin_return_address(0));
  return result;
}
extern __typeof__(pthread_create) tm_pthread_create
    __attribute__((alias("pthread_create"), visibility("hidden")));

/* Joins are edges of the wait-for graph; cancellation must not leave a wait behind. */
static void join_end(void *context) {
  atomic_fetch_sub(&tm_joiners, 1);
  tm_wait_end(context);
}

static void joined(tm_thread *t, pthread_t thread) {
  tm_object_take_stamp(t, (const void *)thread);
  tm_object_died(t, (const void *)thread);
}

TM_EXPORT int pthread_join(pthread_t thread, void **value) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(pthread_join)(thread, value);
  TM_POINT(t, BEFORE, NULL);
  tm_operation op = {.action = TM_ACQUIRE,
                     .object = (const void *)thread,
                     .kind = TM_THREAD,
                     .frame = __builtin_frame_address(0)};
  tm_site_take(t, op.frame, op.site);
  int result;
  atomic_fetch_add(&tm_joiners, 1);
  tm_wait_begin(t, &op, false);
  tm_may_starve(t);
  if (t->who.is_main) op.since = tm_main_wait_begin();
  tm_about_to_block(t, &op);
  pthread_cleanup_push(join_end, t);
  result = TM_REAL(pthread_join)(thread, value);
  pthread_cleanup_pop(1);
  if (op.since) tm_main_wait_over(t, &op);
  if (result == 0) joined(t, thread);
  TM_POINT(t, WAKE, NULL);
  return result;
}

#define TM_JOINING(name, arguments)                                   \
  tm_caller tm_who;                                                   \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who); \
  int result = TM_REAL(name) arguments;                               \
  if (t && result == 0) joined(t, thread);                            \
  return result

TM_EXPORT int pthread_tryjoin_np(pthread_t thread, void **value) {
  TM_JOINING(pthread_tryjoin_np, (thread, value));
}
TM_EXPORT int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) {
  TM_JOINING(pthread_timedjoin_np, (thread, value, until));
}
TM_EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                   const struct timespec *until) {
  TM_JOINING(pthread_clockjoin_np, (thread, value, clock, until));
}
/* Noted before the thread can be joined: from now on its wait at a cancellation point can end. */
TM_EXPORT int pthread_cancel(pthread_t thread) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_thread *cancelled = t ? tm_thread_by_handle(thread) : NULL;
  if (cancelled) atomic_store(&cancelled->who.cancelled, true);
  return TM_REAL(pthread_cancel)(thread);
}

TM_EXPORT int pthread_detach(pthread_t thread) { return TM_REAL(pthread_detach)(thread); }

TM_GATE_CODE_END
#endif
