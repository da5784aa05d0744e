/* How a process ends: exit statuses and signals are those of the program, whatever was going on. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUSY_THREADS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int running;

static void *keep_locking(void *unused) {
  atomic_fetch_add(&running, 1);
  for (;;) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&own);
  }
  return unused;
}

static void start_busy_threads(void) {
  for (int index = 0; index < BUSY_THREADS; index++) conformance_start(keep_locking, NULL);
  conformance_await(&running, BUSY_THREADS);
}

static void main_returns(void) {
  start_busy_threads();
  EXPECT(running, BUSY_THREADS);
}

static void exit_status(void) {
  start_busy_threads();
  exit(23);
}

static void exit_holding(void) {
  EXPECT_OK(pthread_mutex_lock(&mutex));
  exit(24);
}

static void *exit_from_here(void *unused) {
  exit(25);
  return unused;
}

/* The other thread ends the process while this one waits for a lock that nobody gives back. */
static void exit_elsewhere(void) {
  conformance_elsewhere(lock, &mutex);
  conformance_start(exit_from_here, NULL);
  pthread_mutex_lock(&mutex);
}

static void *outlive_main(void *main_thread) {
  EXPECT_OK(pthread_join(*(pthread_t *)main_thread, NULL));
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  return NULL;
}

static void at_exit(void) {
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

/* The process goes on until its last thread ends, and then exits with 0, exit handlers included. */
static void main_exits_as_thread(void) {
  static pthread_t main_thread;
  main_thread = pthread_self();
  atexit(at_exit);
  conformance_start(outlive_main, &main_thread);
  pthread_exit(NULL);
}

static void abort_holding(void) {
  pthread_mutex_lock(&mutex);
  abort();
}

static void say_aborted(int number) {
  EXPECT(number, SIGABRT);
  _exit(26);
}

static void abort_handled(void) {
  signal(SIGABRT, say_aborted);
  abort();
}

static void killed(void) {
  start_busy_threads();
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void terminated(void) {
  pthread_mutex_lock(&mutex);
  raise(SIGTERM);
}

static void say_faulted(int number) {
  EXPECT(number, SIGSEGV);
  _exit(27);
}

static void fault_handled(void) {
  struct sigaction action = {.sa_handler = say_faulted}, before;
  EXPECT_CODE(sigaction(SIGSEGV, &action, &before), 0);
  raise(SIGSEGV);
}

const conformance_case ending_cases[] = {
    {"ending.main-returns", main_returns},
    {"ending.exit-status", exit_status, 23},
    {"ending.exit-holding", exit_holding, 24},
    {"ending.exit-elsewhere", exit_elsewhere, 25},
    {"ending.main-exits-as-thread", main_exits_as_thread, 0,
     "it takes a join of the main thread for impossible"},
    {"ending.abort-holding", abort_holding, CONFORMANCE_SIGNAL + SIGABRT},
    {"ending.abort-handled", abort_handled, 26},
    {"ending.killed", killed, CONFORMANCE_SIGNAL + SIGKILL},
    {"ending.terminated", terminated, CONFORMANCE_SIGNAL + SIGTERM},
    {"ending.fault-handled", fault_handled, 27},
    {NULL},
};
