#ifdef __linux__
#include "ground/base.h"
#include "strand/delivery.h"
#include "ground/brackets.h"
#include "ground/own_thread.h"
#include "ground/real.h"
#include "ground/spare_stack.h"
#include "ground/thread.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { IDLE, ASKED, DONE, LEAVES };
static atomic_uint request;
static void (*asked_work)(void *);
static void *asked_context;
static tm_own_thread service;
static atomic_bool is_made; /* written with the runtime's lock */

static void wait_while(unsigned value) {
  while (atomic_load_explicit(&request, memory_order_acquire) == value)
    syscall(SYS_futex, &request, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void become(unsigned value) {
  atomic_store_explicit(&request, value, memory_order_release);
  syscall(SYS_futex, &request, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
}

static void *serve(void *unused) {
  tm_thread *t = tm_thread_attach();
  if (t) t->ground.inside = 1, t->who.is_library = true;
  tm_ignore_begin();
  for (unsigned now; (now = atomic_load_explicit(&request, memory_order_acquire)) != LEAVES;) {
    if (now != ASKED) {
      wait_while(now);
      continue;
    }
    asked_work(asked_context);
    become(DONE);
  }
  tm_ignore_end();
  return unused;
}

/* Made when the program has threads of its own already: TSan refuses new threads in the fork of a
 * process that has several, and the gate's thread must not be the second one. */
static bool is_there(void) {
  if (is_made) return true;
  if (!tm_has_thread_sanitizer() || tm_threads_seen() < 2) return false;
  bool made = tm_own_thread_start(&service, serve);
  atomic_store(&is_made, made);
  return made;
}

void tm_call_up(void (*work)(void *), void *context) {
  if (!is_there()) return tm_run_with_room(work, context);
  asked_work = work;
  asked_context = context;
  become(ASKED);
  wait_while(ASKED);
  atomic_store_explicit(&request, IDLE, memory_order_relaxed);
}

/* The forking thread may hold a lock that the call under way needs: then the service stays. */
void tm_delivery_leave(void) {
  enum { PATIENCE = 1000 };
  bool inside = tm_self && tm_self->ground.inside;
  if (inside || !atomic_load(&is_made)) return;
  tm_quiet before = tm_quiet_begin();
  if (tm_runtime_lock_within(PATIENCE)) {
    become(LEAVES);
    tm_own_thread_join(&service);
    atomic_store(&request, IDLE);
    atomic_store(&is_made, false);
    tm_runtime_unlock_raw();
  }
  tm_quiet_end(before);
}

TM_GATE_CODE_END
#endif
