/* Semaphores and signals: posting from a handler, EINTR with and without SA_RESTART. signal(7). */
#include "conformance_posix.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

enum { SIGNALS = 50 };

static sem_t semaphore;
static atomic_int handled, tid, returned;

static void count_signal(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

static void post_semaphore(int number) {
  (void)number;
  sem_post(&semaphore);
}

static void install(void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
}

static void handler_posts(void) {
  sem_init(&semaphore, 0, 0);
  install(post_semaphore, 0);
  for (int round = 0; round < SIGNALS; round++) {
    raise(SIGUSR1);
    EXPECT_OK(sem_wait(&semaphore));
  }
  EXPECT_ERRNO(sem_trywait(&semaphore), EAGAIN);
}

static void *signal_main(void *main_thread) {
  pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
  return NULL;
}

/* The signal may find the thread before, in or after its first wait: the post is never lost. */
static void handler_posts_waiter(void) {
  sem_init(&semaphore, 0, 0);
  install(post_semaphore, 0);
  pthread_t main_thread = pthread_self();
  pthread_t sender = conformance_start(signal_main, &main_thread);
  int code;
  while ((code = sem_wait(&semaphore)) == -1 && errno == EINTR) {
  }
  EXPECT_CODE(code, 0);
  pthread_join(sender, NULL);
  EXPECT_ERRNO(sem_trywait(&semaphore), EAGAIN);
}

/* Waits once and returns the error, 0 if there was none. */
static void *wait_once(void *unused) {
  (void)unused;
  atomic_store(&tid, gettid());
  int error = sem_wait(&semaphore) == 0 ? 0 : errno;
  atomic_store(&returned, 1);
  return (void *)(long)error;
}

/* Like `wait_once`, with a deadline that is never reached. */
static void *timedwait_once(void *unused) {
  (void)unused;
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  atomic_store(&tid, gettid());
  int error = sem_timedwait(&semaphore, &late) == 0 ? 0 : errno;
  atomic_store(&returned, 1);
  return (void *)(long)error;
}

/* Signals until the wait has returned: signals that come too early change nothing. */
static int error_when_signalled(void *(*wait)(void *)) {
  atomic_store(&tid, 0);
  atomic_store(&returned, 0);
  sem_init(&semaphore, 0, 0);
  install(count_signal, 0);
  pthread_t waiter = conformance_start(wait, NULL);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  while (atomic_load(&returned) == 0) {
    pthread_kill(waiter, SIGUSR1);
    sched_yield();
  }
  void *error = NULL;
  pthread_join(waiter, &error);
  return (int)(long)error;
}

static void interrupted(void) {
  EXPECT_CODE(error_when_signalled(wait_once), EINTR);
  EXPECT(atomic_load(&handled) > 0, true);
  EXPECT_ERRNO(sem_trywait(&semaphore), EAGAIN);
}

static void interrupted_timed(void) {
  EXPECT_CODE(error_when_signalled(timedwait_once), EINTR);
  EXPECT(atomic_load(&handled) > 0, true);
}

static void restarted(void) {
  sem_init(&semaphore, 0, 0);
  install(count_signal, SA_RESTART);
  pthread_t waiter = conformance_start(wait_once, NULL);
  conformance_await(&tid, 1);
  for (int round = 1; round <= SIGNALS; round++) {
    conformance_until_asleep(tid);
    pthread_kill(waiter, SIGUSR1);
    conformance_await(&handled, round);
  }
  EXPECT(atomic_load(&returned), 0);
  sem_post(&semaphore);
  void *error = NULL;
  pthread_join(waiter, &error);
  EXPECT_CODE((int)(long)error, 0);
  EXPECT(atomic_load(&handled), SIGNALS);
}

const conformance_case semaphore_signal_cases[] = {
    {"semaphore.handler-posts", handler_posts},
    {"semaphore.handler-posts-waiter", handler_posts_waiter},
    {"semaphore.interrupted", interrupted},
    {"semaphore.interrupted-timed", interrupted_timed},
    {"semaphore.restarted", restarted},
    {NULL},
};
