#ifdef __linux__
#include "ground/base.h"
#include "calls/foundation/operations.h"
#include "calls/foundation/run_loop.h"
#include "calls/posix/creation.h"
#include "calls/sanitizer/checked_accesses.h"
#include "calls/swift/mutex.h"
#include "code/allocator.h"
#include "code/caller.h"
#include "control/model.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/fork_mark.h"
#include "ground/layout.h"
#include "ground/lock_classes.h"
#include "ground/real.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/item.h"
#include "object/queue.h"
#include "observe/race.h"
#include "observe/upcalls.h"
#include "process/fatal.h"
#include "process/end.h"
#include "process/hang.h"
#include "strand/fibre.h"
#include "strand/hold.h"
#include "strand/own_threads.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Defined by the module `Threadmill`: reads the configuration and calls `tm_activate`. */
extern void threadmill_boot(void) __attribute__((weak));

/* Defined by the bridges to the test frameworks, if they are linked: they install themselves
 * first. */
extern void threadmill_testing_boot(void) __attribute__((weak));
extern void threadmill_xctest_boot(void) __attribute__((weak));

static _Thread_local bool had_watchdog
    __attribute__((tls_model("initial-exec"))); /* on a thread that forks */

/* Under TSan, the child of a process with several threads dies if it starts a thread: the gate's
 * own threads must not be what makes them several. */
static void before_fork(void) { had_watchdog = tm_is_tsan() && tm_own_threads_leave(); }

static void parent_after_fork(void) { tm_own_threads_return(had_watchdog); }

static pid_t owner; /* the process whose end is told */

static void stay_watched(void) {
  owner = getpid();
  tm_own_threads_prepare();
  tm_fork_mark_renew();
}

/* The child has none of the exploration's other threads. */
static void child_after_fork(void) {
  if (tm_copies_stay_watched) stay_watched();
  else tm_deactivate();
  atomic_store(&tm_controlling, false);
  tm_forget_locks();
  if (tm_self) tm_self->ground.tid = (int)syscall(SYS_gettid);
  if (tm_self) tm_seat_set(tm_self, NULL);
}

/* The runtime of Swift registers the image's types in a constructor that the linker puts first;
 * this one comes after it. */
__attribute__((constructor)) static void boot(void) {
  tm_real_resolve();
  if (!threadmill_boot || !tm_is_primary()) return;
  if (threadmill_testing_boot) threadmill_testing_boot();
  if (threadmill_xctest_boot) threadmill_xctest_boot();
  threadmill_boot();
}

void tm_activate(const tm_listener *listener, const tm_settings *settings) {
  tm_fork_mark_prepare();
  tm_callers_prepare();
  tm_allocator_prepare();
  tm_queues_prepare();
  tm_blocks_prepare();
  tm_layout_prepare();
  tm_operations_prepare();
  tm_run_loops_prepare();
  tm_lock_classes_prepare();
  tm_tags_prepare();
  tm_settings_now = *settings;
  tm_mutexes_prepare();
  tm_creation_prepare();
  tm_checked_accesses_prepare();
  tm_listening = *listener;
  tm_own_threads_prepare();
  pthread_atfork(before_fork, parent_after_fork, child_after_fork);
  atomic_store(&tm_active, true);
  tm_thread_attach();
  tm_hang_prepare();
  tm_fatal_prepare();
  tm_quit_prepare();
  tm_races_prepare();
  tm_fibres_prepare();
  if (tm_fibres_on) tm_strand_real_resolve();
}

/* Also called in a forked child, where the states of the other threads are leftovers: all calls of
 * the child pass through. */
void tm_deactivate(void) {
  atomic_store(&tm_active, false);
  if (tm_self) tm_seat_set(tm_self, NULL);
}

void tm_watch_again(uint64_t address) {
  atomic_fetch_add_explicit(tm_generation((const void *)address), 2, memory_order_relaxed);
}

/* Exit. glibc goes on with the remaining handlers when one of them calls exit: so the gate can
 * change the status, and all other handlers still run. */
static int (*flush_at_exit)(int);

/* What `tm_end_watching` came to: the status that the process should end with. */
static struct {
  bool over;
  int wanted;
} ended;

static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != owner) return;
  int wanted = ended.over ? ended.wanted : flush_at_exit(status);
  if (tm_is_tsan()) tm_own_threads_leave_at_end();
  if (status == 0 && wanted != 0) exit(wanted);
}

void tm_end_watching(void) {
  if (!flush_at_exit || ended.over || getpid() != owner) return;
  tm_quiet before = tm_quiet_begin();
  ended.over = true;
  ended.wanted = flush_at_exit(0);
  tm_own_threads_leave();
  tm_quiet_end(before);
}

void tm_at_exit(int (*flush)(int status)) {
  owner = getpid();
  flush_at_exit = flush;
  on_exit(at_exit, NULL);
  at_quick_exit(tm_end_watching);
}

/* Called by TSan when the process ends: at exit, after the handlers, and in `_exit`, which has
 * none. Returns whether TSan ends the process with its own status. This is the C++ function
 * `__tsan::OnFinalize(bool)`, meant to be taken over. */
bool tm_on_finalize(bool failed) __asm__("_ZN6__tsan10OnFinalizeEb");
TM_EXPORT bool tm_on_finalize(bool failed) {
  if (!tm_is_active() || tm_is_exploring() || getpid() != owner) return failed;
  return tm_races_come_out() || failed;
}

TM_GATE_CODE_END
#endif
