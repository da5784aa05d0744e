/* What comes from outside in the middle of something: signals, stops, debuggers, timers, jumps.
 * signal(7), ptrace(2), timer_create(2), siglongjmp(3). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDS_STATUS = 7, STORM = 500, THREADS = 4 };

static int status_of(pid_t child, int options) {
  int status = 0;
  return waitpid(child, &status, options) == child ? status : -1;
}

/* Stops. */

static void child_works(int how_often) {
  for (int round = 0; round < how_often; round++) take_forth(NULL);
  _exit(CHILDS_STATUS);
}

static void stopped_and_continued(void) {
  pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    child_works(100);
  }
  int status = status_of(child, WUNTRACED);
  EXPECT(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP, true);
  EXPECT_OK(kill(child, SIGCONT));
  EXPECT(WEXITSTATUS(status_of(child, 0)), CHILDS_STATUS);
}

/* A whole process with threads, stopped by its parent again and again. */
static void stopped_often(void) {
  pid_t child = fork();
  if (child == 0) {
    pthread_t other = conformance_start(take_forth, NULL);
    pthread_join(other, NULL);
    child_works(20000);
  }
  int status = 0;
  for (int round = 0; round < 20; round++) {
    kill(child, SIGSTOP);
    status = status_of(child, WUNTRACED);
    if (!WIFSTOPPED(status)) break;
    kill(child, SIGCONT);
  }
  if (WIFSTOPPED(status)) status = status_of(child, 0);
  EXPECT(WEXITSTATUS(status), CHILDS_STATUS);
}

static void under_a_debugger(void) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGTRAP);
    child_works(100);
  }
  int status = status_of(child, 0);
  EXPECT(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP, true);
  for (int step = 0; step < 200; step++) {
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    status = status_of(child, 0);
    if (!WIFSTOPPED(status)) break;
  }
  ptrace(PTRACE_CONT, child, NULL, NULL);
  EXPECT(WEXITSTATUS(status_of(child, 0)), CHILDS_STATUS);
}

/* Jumps out of a call that waits: the call never returns. Not at the first signal, which on a busy
 * machine may come before the wait: nobody may jump out of what comes before it. */

enum { SIGNALS = 10, MICROSECONDS = 5000 };

static sigjmp_buf back;
static sem_t never;
static int ends[2];

static volatile sig_atomic_t signals;

static void jump(int number) {
  if (++signals == SIGNALS) siglongjmp(back, number);
}

static void jump_out_of(void (*wait)(void)) {
  struct itimerval often = {.it_interval = {.tv_usec = MICROSECONDS},
                            .it_value = {.tv_usec = MICROSECONDS}};
  struct itimerval never_again = {0};
  signal(SIGALRM, jump);
  if (sigsetjmp(back, 1) == 0) {
    setitimer(ITIMER_REAL, &often, NULL);
    for (;;) wait();
  }
  setitimer(ITIMER_REAL, &never_again, NULL);
  take_opposite_orders();
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -10);
  pthread_mutex_lock(&first);
  EXPECT_CODE(pthread_mutex_trylock(&first), EBUSY);
  EXPECT_CODE(pthread_mutex_timedlock(&first, &past), ETIMEDOUT);
  pthread_mutex_unlock(&first);
  _exit(conformance_failures());
}

static void wait_reading(void) {
  char byte;
  if (pipe(ends) == 0) read(ends[0], &byte, 1);
}
static void wait_sleeping(void) { sleep(3600); }
static void wait_pausing(void) { pause(); }
static void wait_for_semaphore(void) {
  sem_init(&never, 0, 0);
  sem_wait(&never);
}
static void wait_polling(void) { poll(NULL, 0, -1); }
static void wait_accepting(void) {
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr name = {AF_UNIX, ""};
  bind(server, &name, sizeof(sa_family_t));
  listen(server, 1);
  accept(server, NULL, NULL);
}

static void jump_out_of_read(void) { jump_out_of(wait_reading); }
static void jump_out_of_sleep(void) { jump_out_of(wait_sleeping); }
static void jump_out_of_pause(void) { jump_out_of(wait_pausing); }
static void jump_out_of_semaphore(void) { jump_out_of(wait_for_semaphore); }
static void jump_out_of_poll(void) { jump_out_of(wait_polling); }
static void jump_out_of_accept(void) { jump_out_of(wait_accepting); }

/* Storms. */

static atomic_int handled, over;

static void note(int number) {
  (void)number;
  int saved = errno;
  atomic_fetch_add(&handled, 1);
  sched_yield();
  errno = saved;
}

static void *work_until_over(void *unused) {
  while (!atomic_load(&over)) {
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&fresh);
    take_forth(NULL);
    pthread_mutex_unlock(&fresh);
  }
  return unused;
}

static void storm_on_all_threads(void) {
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) threads[i] = conformance_start(work_until_over, NULL);
  int failures = 0;
  for (int round = 0; round < STORM; round++) {
    failures += pthread_kill(threads[round % THREADS], SIGUSR1) != 0;
    sched_yield();
  }
  EXPECT(failures, 0);
  atomic_store(&over, 1);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  EXPECT(handled > 0, true);
}

/* Every real-time signal that libc leaves to the program is the program's. */
static void all_real_time_signals(void) {
  struct sigaction action = {.sa_handler = note}, before;
  take_opposite_orders();
  int changed = 0;
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
    if (sigaction(number, &action, &before) != 0) EXPECT(number, 0);
    changed += before.sa_handler != SIG_DFL;
    raise(number);
  }
  EXPECT(changed, 0);
  EXPECT(handled, SIGRTMAX - SIGRTMIN + 1);
  _exit(conformance_failures());
}

static void signals_by_file(void) {
  sigset_t set;
  sigfillset(&set);
  EXPECT_OK(sigprocmask(SIG_BLOCK, &set, NULL));
  int file = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  struct signalfd_siginfo info;
  take_opposite_orders();
  EXPECT_ERRNO(read(file, &info, sizeof info), EAGAIN);
  EXPECT_OK(kill(getpid(), SIGTERM));
  EXPECT(read(file, &info, sizeof info), sizeof info);
  EXPECT(info.ssi_signo, SIGTERM);
  _exit(conformance_failures());
}

static sem_t fired;

static void fire(union sigval unused) {
  (void)unused;
  take_forth(NULL);
  sem_post(&fired);
}

/* libc makes threads of its own for such a timer. */
static void timer_with_threads(void) {
  sem_init(&fired, 0, 0);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
  struct itimerspec often = {.it_value = {.tv_nsec = 1000000}, .it_interval = {.tv_nsec = 1000000}};
  timer_t timer;
  EXPECT_OK(timer_create(CLOCK_MONOTONIC, &event, &timer));
  EXPECT_OK(timer_settime(timer, 0, &often, NULL));
  for (int round = 0; round < 10; round++) sem_wait(&fired);
  EXPECT_OK(timer_delete(timer));
}

const conformance_case interruption_cases[] = {
    {"stop.and-continue", stopped_and_continued},
    {"stop.often", stopped_often},
    {"stop.by-a-debugger", under_a_debugger, 0, "a step of it takes many more"},
    {"jump.out-of-read", jump_out_of_read, 0, "it delays the handler"},
    {"jump.out-of-sleep", jump_out_of_sleep, 0, "it delays the handler"},
    {"jump.out-of-pause", jump_out_of_pause, 0, "it delays the handler"},
    {"jump.out-of-sem-wait", jump_out_of_semaphore, 0, "it delays the handler"},
    {"jump.out-of-poll", jump_out_of_poll, 0, "it delays the handler"},
    {"jump.out-of-accept", jump_out_of_accept, 0, "it delays the handler"},
    {"signal.storm", storm_on_all_threads},
    {"signal.all-real-time", all_real_time_signals},
    {"signal.by-file", signals_by_file},
    {"timer.with-threads", timer_with_threads, 0, "it does not know libc's own threads"},
    {NULL},
};
