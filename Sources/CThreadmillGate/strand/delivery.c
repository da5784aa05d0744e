#ifdef __linux__
#include "ground/base.h"
#include "strand/delivery.h"
#include "ground/brackets.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { IDLE, ASKED, DONE };
static atomic_uint request;
static void (*asked_work)(void *);
static void *asked_context;

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
  for (;;) {
    unsigned now = atomic_load_explicit(&request, memory_order_acquire);
    if (now != ASKED) {
      syscall(SYS_futex, &request, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
      continue;
    }
    asked_work(asked_context);
    become(DONE);
  }
  return unused;
}

/* Returns whether the service thread exists. It is made when the program has several threads
 * already: TSan refuses new threads in the fork of a process with several threads, and the gate's
 * thread must not be the one that makes them several. */
static bool is_there(void) {
  static bool made;
  if (made) return true;
  if (!tm_has_thread_sanitizer() || tm_threads_seen() < 2) return false;
  pthread_attr_t detached;
  pthread_t thread;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  made = TM_REAL(pthread_create)(&thread, &detached, serve, NULL) == 0;
  pthread_attr_destroy(&detached);
  return made;
}

void tm_call_up(void (*work)(void *), void *context) {
  if (!is_there()) return work(context);
  asked_work = work;
  asked_context = context;
  become(ASKED);
  wait_while(ASKED);
  atomic_store_explicit(&request, IDLE, memory_order_relaxed);
}

TM_GATE_CODE_END
#endif
