#ifdef __linux__
#include "ground/base.h"
#include "observe/race.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "ground/watchdog.h"
#include "observe/race_report.h"
#include "observe/upcalls.h"
#include "strand/attention.h"
#include "strand/fibre.h"
#include "strand/part.h"
#include "strand/race_mark.h"
#include "strand/thread.h"
#include "strand/upcalls.h"
#include "tell/view.h"
#include "threadmill_gate.h"
#include "threadmill_race.h"
#include "threadmill_views.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { WAITING = 64, DEEPEST = 1024, YIELDS = 10000 };

/* A ring: reports are taken in one at a time and told one at a time. */
static tm_race_report *ring;
static atomic_uint taken, told, settled;
static atomic_bool accused;
static atomic_bool taking;

/* Threads that may have ended, by their numbers in the system. */
enum { PAST = 4096 };
static struct {
  _Atomic uint64_t numbers; /* the system's above, the gate's below */
  atomic_uint creator, place;
} past[PAST];

void tm_race_thread_began(const tm_thread *t) {
  uint64_t numbers = (uint64_t)t->ground.tid << 32 | t->who.number;
  tm_race_thread_created(t, 0, 0);
  atomic_store(&past[(unsigned)t->ground.tid % PAST].numbers, numbers);
}

void tm_race_thread_created(const tm_thread *t, uint32_t creator, uint32_t place) {
  atomic_store(&past[(unsigned)t->ground.tid % PAST].creator, creator);
  atomic_store(&past[(unsigned)t->ground.tid % PAST].place, place);
}

uint32_t tm_race_place(const tm_thread *t, void *frame) {
  if (!ring) return 0;
  uintptr_t stack[TM_STACK / 2];
  return tm_stack_keep(stack, tm_stack_take(t, frame, stack, TM_STACK / 2));
}

void tm_race_sleeps(void *frame) {
  tm_thread *t = ring ? tm_self : NULL;
  if (t && !t->ground.inside) tm_site_take_whole(t, frame, t->observe.slept);
}

/* Fills in the gate's numbers for a thread; for a thread that the gate never saw, its number in the
 * system. */
static void identify(tm_raw_thread *to, unsigned long long tid) {
  uint64_t numbers = atomic_load(&past[tid % PAST].numbers);
  to->watched = numbers >> 32 == tid;
  to->known = (uint32_t)(to->watched ? numbers : tid);
  to->known_creator = to->watched ? atomic_load(&past[tid % PAST].creator) : 0;
  to->place = to->watched ? atomic_load(&past[tid % PAST].place) : 0;
}

void tm_races_prepare(void) {
  if (!tm_settings_now.races || !tm_has_thread_sanitizer()) return;
  tm_race_marks_prepare();
  ring = tm_map(WAITING * sizeof(tm_race_report));
}

/* The room that TSan writes its traces to. It is wide enough for whole traces, because marks are at
 * their outer ends. */
static uintptr_t raw[DEEPEST + 1];

/* One address stands for several frames where functions were inlined into each other. */
static void keep(tm_race_trace *kept) {
  uint32_t count = 0;
  kept->scope = kept->work = 0;
  kept->explored = false;
  for (unsigned i = 0; i < DEEPEST && raw[i]; i++) {
    uint32_t work = tm_race_work_of(raw[i]);
    if (work) {
      kept->work = work;
      continue;
    }
    uint32_t scope = tm_race_scope_of(raw[i]);
    if (scope && !kept->scope) kept->scope = scope;
    if (tm_race_is_schedule(raw[i])) {
      kept->explored = true;
      continue;
    }
    bool again = i > 0 && raw[i] == raw[i - 1];
    if (!scope && !again && count < TM_RACE_FRAMES) kept->addresses[count++] = raw[i];
    else if (!scope && !again && count++ == TM_RACE_FRAMES) tm_count_one(TM_STACKS_TRUNCATED);
  }
  kept->count = count < TM_RACE_FRAMES ? count : TM_RACE_FRAMES;
}

#define TM_TRACE (void **)raw, DEEPEST
static void clear(void) { tm_clear(raw, sizeof raw); }

static void take_accesses(void *from, tm_race_report *to, int count) {
  to->access_count = count < TM_RACE_ACCESSES ? count : TM_RACE_ACCESSES;
  for (int i = 0; i < to->access_count; i++) {
    tm_raw_access *a = &to->accesses[i];
    clear();
    __tsan_get_report_mop(from, i, &a->thread, &a->address, &a->size, &a->writes, &a->atomic,
                          TM_TRACE);
    keep(&a->stack);
  }
}

/* A thread inherits the name of its creator, which says nothing about it. The inherited name of a
 * thread that has ended is not known, so its name is left out. */
static void take_name(tm_raw_thread *to, unsigned long long tid, const char *name) {
  tm_clear(to->name, TM_RACE_THREAD_NAME);
  for (tm_thread *t = tm_thread_first(); name && t; t = tm_thread_next(t))
    if (tm_is_live(t) && (unsigned long long)t->ground.tid == tid &&
        !tm_text_is(t->who.first_name, name))
      tm_copy(to->name, name, tm_length(name, TM_RACE_THREAD_NAME - 1));
}

static void take_threads(void *from, tm_race_report *to, int count) {
  to->thread_count = count < TM_RACE_THREADS ? count : TM_RACE_THREADS;
  for (int i = 0; i < to->thread_count; i++) {
    tm_raw_thread *a = &to->threads[i];
    unsigned long long tid = 0;
    int running;
    const char *name = NULL;
    clear();
    __tsan_get_report_thread(from, i, &a->number, &tid, &running, &name, &a->creator, TM_TRACE);
    keep(&a->created);
    a->fibre = tm_fibre_number(name);
    if (a->fibre >= 0) {
      *a = (tm_raw_thread){.number = a->number, .fibre = a->fibre};
      continue;
    }
    identify(a, tid);
    take_name(a, tid, name);
  }
}

static void take_mutexes(void *from, tm_race_report *to, int count) {
  to->mutex_count = count < TM_RACE_MUTEXES ? count : TM_RACE_MUTEXES;
  for (int i = 0; i < to->mutex_count; i++) {
    tm_raw_mutex *a = &to->mutexes[i];
    unsigned long id;
    int destroyed;
    clear();
    __tsan_get_report_mutex(from, i, &id, &a->address, &destroyed, TM_TRACE);
    keep(&a->created);
  }
}

static tm_race_memory memory_of(const char *type) {
  static const char *const names[] = {"", "heap", "global", "stack", "tls", "fd"};
  for (int i = TM_MEMORY_HEAP; i <= TM_MEMORY_FILE; i++)
    if (tm_text_is(type, names[i])) return i;
  return TM_MEMORY_UNKNOWN;
}

/* A stack's memory may be named twice, as a stack and as something without a name. */
static void take_memory(void *from, tm_race_report *to, int count) {
  to->memory = TM_MEMORY_UNKNOWN;
  to->allocated.count = 0;
  if (count == 0) return;
  const char *type = "";
  int suppressable;
  clear();
  __tsan_get_report_loc(from, 0, &type, &to->global, &to->start, &to->size, &to->memory_thread,
                        &to->file, &suppressable, TM_TRACE);
  keep(&to->allocated);
  to->memory = memory_of(type);
}

/* Copies facts about the calling thread: only its own fields, which need no lock. */
static void take_reporter(tm_race_report *to) {
  tm_thread *t = tm_self;
  to->scope = tm_current_scope();
  to->reporter = t ? t->who.number : 0;
  to->held_count = 0;
  tm_clear(to->submitted, sizeof to->submitted);
  if (!t) return;
  tm_site_copy(to->submitted, t->strand.origin.submitted);
  if (to->slept.count && t->observe.slept[0]) {
    tm_site_copy(to->slept.addresses, t->observe.slept);
    for (to->slept.count = 1; to->slept.count < TM_SITE && t->observe.slept[to->slept.count];)
      to->slept.count++;
  }
  uint32_t count = t->holds.held_count < TM_HOLDS ? t->holds.held_count : TM_HOLDS;
  for (uint32_t i = 0; i < count && to->held_count < TM_RACE_MUTEXES; i++) {
    if (t->held.locks[i].flags & TM_HOLD_BASE) continue;
    tm_hold *kept = &to->held[to->held_count++];
    *kept = t->held.locks[i];
    kept->kind = (uint8_t)tm_kind_of(kept->object, kept->kind);
  }
}

static void take_in(void *from, tm_race_report *to) {
  int count, stacks, accesses, locations, mutexes, threads, unique;
  clear();
  __tsan_get_report_data(from, &to->description, &count, &stacks, &accesses, &locations, &mutexes,
                         &threads, &unique, TM_TRACE);
  keep(&to->slept);
  take_accesses(from, to, accesses);
  take_threads(from, to, threads);
  take_memory(from, to, locations);
  take_mutexes(from, to, mutexes);
  take_reporter(to);
}

/* Returns whether one of the accesses was made by a function that TSan has taken over and that the
 * gate has called. TSan ignores these accesses if a library without instrumentation calls; but to
 * TSan every call through the gate is the program's, because the gate lies in the program. With the
 * gate out of the way it would ignore the calls of Foundation and of the runtime. */
static bool is_by_a_call_of_the_gate(void *from, int accesses) {
  for (int i = 0; i < accesses; i++) {
    int thread, size, writes, atomic;
    void *address;
    clear();
    __tsan_get_report_mop(from, i, &thread, &address, &size, &writes, &atomic, TM_TRACE);
    if (raw[0] && tm_in_gate(raw[1])) return true;
  }
  return false;
}

/* The gate takes races; it also takes lock orders, which its own graph reports, and races that only
 * come of the gate. All other reports are left to TSan. */
typedef enum business { A_RACE, A_LIBRARYS_RACE, AN_ORDER, NONE_OF_OURS } business;
static business business_of(void *from) {
  const char *what = "";
  int unused, accesses = 0;
  clear();
  __tsan_get_report_data(from, &what, &unused, &unused, &accesses, &unused, &unused, &unused,
                         &unused, TM_TRACE);
  if (tm_text_is(what, "lock-order-inversion")) return AN_ORDER;
  if (tm_text_begins(what, "heap-use-after-free")) return A_RACE;
  if (!tm_text_begins(what, "data-race") && !tm_text_is(what, "external-race")) return NONE_OF_OURS;
  bool ignored = tm_settings_now.leaves_libraries && is_by_a_call_of_the_gate(from, accesses);
  return ignored ? A_LIBRARYS_RACE : A_RACE;
}

static bool take_race(void *from) {
  unsigned next = atomic_load(&taken);
  if (next - atomic_load(&told) == WAITING) return false;
  take_in(from, &ring[next % WAITING]);
  if (tm_race_is_threads_own(&ring[next % WAITING])) return true;
  atomic_store(&taken, next + 1);
  return true;
}

static void tell_all(void *unused) {
  (void)unused;
  tm_races_tell();
}

static void tell_from_watchdog(void) {
  if (tm_races_wait()) tm_watchdog_call(tell_all, NULL);
}

/* Wakes the watchdog. If there is none, this thread's next interposed call makes it: a thread
 * cannot be created inside TSan's callback. */
static void ring_for_somebody(void) {
  if (!tm_watchdog_urgent(tell_from_watchdog) && tm_self)
    tm_self->ground.attention |= TM_ATTENDS_RACES;
}

void tm_races_attend(void) {
  tm_quiet before = tm_quiet_begin();
  tm_watchdog_prepare();
  tm_watchdog_urgent(tell_from_watchdog);
  tm_quiet_end(before);
}

/* Returns whether TSan has to forget the report: it need not print and count what the gate takes,
 * unless somebody wants it to. */
static bool take_report(void *from) {
  business what = business_of(from);
  if (what == A_LIBRARYS_RACE) return tm_count_one(TM_LIBRARY_RACES_LEFT), true;
  if (what == NONE_OF_OURS || !ring || !atomic_load(&tm_active)) return false;
  if (what == AN_ORDER) {
    if (!tm_settings_now.sanitizer_speaks) tm_count_one(TM_LOCK_ORDERS_LEFT);
    return !tm_settings_now.sanitizer_speaks;
  }
  if (!take_race(from)) return tm_count_one(TM_RACES_LEFT), false;
  /* An explorer asks for the reports itself, after each schedule. */
  if (!tm_is_exploring()) ring_for_somebody();
  return !tm_settings_now.sanitizer_speaks;
}

/* Called by TSan for every report, before it prints the report. Returns whether TSan has to forget
 * the report. `suppressed`: the user's suppressions match it. This is the C++ function
 * `__tsan::OnReport(const ReportDesc *, bool)`, meant to be taken over.
 *
 * A thread that clears `tm_active` and then finds `taking` false can be sure that no more reports
 * come. */
bool tm_on_report(const void *report, bool suppressed) __asm__("_ZN6__tsan8OnReportEPKNS_10"
                                                               "ReportDescEb");
TM_EXPORT bool tm_on_report(const void *report, bool suppressed) {
  if (suppressed || atomic_exchange(&taking, true)) return suppressed;
  int saved = errno;
  bool forgets = take_report((void *)report);
  errno = saved;
  atomic_store(&taking, false);
  return forgets;
}

bool tm_races_wait(void) { return atomic_load(&taken) != atomic_load(&settled); }
void tm_races_settled(uint32_t count, bool accuses) {
  if (accuses) atomic_store(&accused, true);
  atomic_store(&settled, count);
  syscall(SYS_futex, &settled, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
uint32_t tm_races_told(void) { return atomic_load(&told); }

/* A copy that is under way takes no lock and soon ends. */
static void await_taker(void) {
  for (int i = 0; i < YIELDS && atomic_load(&taking); i++) syscall(SYS_sched_yield);
}

void tm_races_tell(void) {
  await_taker();
  unsigned next = atomic_load(&told);
  for (; next != atomic_load(&taken); atomic_store(&told, ++next)) {
    tm_race view;
    tm_race_view(&ring[next % WAITING], &view);
    tm_listening.raced(&view);
  }
}

bool tm_races_come_out(void) {
  int saved = errno;
  unsigned last = atomic_load(&taken); /* later ones come from threads that go on */
  if (tm_races_wait()) tm_races_attend();
  uint64_t limit = tm_now() + TM_SECOND;
  const struct timespec end = {(time_t)(limit / TM_SECOND), (long)(limit % TM_SECOND)};
  for (unsigned now; (int)(last - (now = atomic_load(&settled))) > 0;)
    if (syscall(SYS_futex, &settled, FUTEX_WAIT_BITSET_PRIVATE, now, &end, NULL,
                FUTEX_BITSET_MATCH_ANY) != 0 &&
        errno == ETIMEDOUT)
      break;
  errno = saved;
  return atomic_load(&accused);
}

TM_GATE_CODE_END
#endif
