/* The case runner: a case states facts in a process of its own; they are checked at once.
 *
 * A case prints one line per fact on standard output. The supervisor starts the program again for
 * each case and joins its facts to one line: `name ok fact, fact, …; exit 0`. A fact that is not
 * what the manual page says reads `FAILED what: expected …, got …`, and so does an unexpected end
 * of the process.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* One case. A table of cases ends with an entry without a name. */
typedef struct {
  const char *_Nullable name;
  /* Runs in a process of its own. NULL when the program itself knows how to run the case. */
  void (*_Nullable body)(void);
  /* How the process has to end: an exit status, or CONFORMANCE_SIGNAL plus the number of a signal.
   */
  int ends;
  /* Why the case cannot run under Thread Sanitizer, with or without a gate; NULL when it can. */
  const char *_Nullable unlike_tsan;
} conformance_case;

#define CONFORMANCE_SIGNAL 256

/* How a process ends that the compiler's trap instruction stops. */
#if defined(__x86_64__)
  #define CONFORMANCE_TRAP (CONFORMANCE_SIGNAL + SIGILL)
#else
  #define CONFORMANCE_TRAP (CONFORMANCE_SIGNAL + SIGTRAP)
#endif
enum { CONFORMANCE_TRAP_STATUS = CONFORMANCE_TRAP };

/* Runs the program: without arguments all cases, each in its own process; `list` prints the names;
 * a name runs that case in this process. Returns the exit status: 0 if every fact was right. */
int conformance_main(int argc, char *_Nullable *_Nonnull argv,
                     const conformance_case *_Nullable const *_Nonnull tables);

/* Prepares this process for one case: no signal is blocked, a hang ends it after minutes, and a
 * crash leaves no core file. */
void conformance_begin(void);

/* How many facts of this process were wrong so far. */
int conformance_failures(void);

/* Whether the program was built with Thread Sanitizer. */
bool conformance_built_with_tsan(void);

/* State a fact. `what` and the values are copied to standard output before the call returns. */
void conformance_int(const char *_Nonnull what, long long got, long long expected);
void conformance_code(const char *_Nonnull what, int got, int expected);
void conformance_text(const char *_Nonnull what, const char *_Nonnull got,
                      const char *_Nonnull expected);

/* Starts a thread with default attributes; ends the process when there is none to be had. */
pthread_t conformance_start(void *_Nullable (*_Nonnull body)(void *_Nullable),
                            void *_Nullable argument);

/* Runs `body` on a new thread, waits for its end and returns what it returned. */
int conformance_elsewhere(int (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

/* Lets other threads run. */
void conformance_yield(void);

/* Spins until `flag` is at least `value`. */
void conformance_await(const atomic_int *_Nonnull flag, int value);

/* Spins until thread `tid`, of any process, sleeps in the kernel. Makes a case meaningful, never
 * right: the expected facts have to hold wherever the thread is. */
void conformance_until_asleep(int tid);

/* Now on `clock`, plus `milliseconds`, which may be negative. */
struct timespec conformance_from_now(clockid_t clock, long milliseconds);

/* Whether the time on `clock` has reached `moment`. */
bool conformance_reached(clockid_t clock, struct timespec moment);

/* Runs `body` in a forked child, which then exits with 0 if all its facts were right and else with
 * 1, unless `body` ends it otherwise. Returns how it ended, in the words of
 * `conformance_case.ends`. */
int conformance_child(void (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

/* A page of memory shared with children, zeroed. `conformance_unmap` gives it back. */
void *_Nonnull conformance_map(void);
void conformance_unmap(void *_Nonnull page);

/* A thread that holds something until it is told to let go. */
typedef struct {
  int (*_Nonnull acquire)(void *_Nullable);
  int (*_Nonnull release)(void *_Nullable);
  void *_Nullable object;
  atomic_int stage;
  pthread_t thread;
} conformance_holder;

/* Returns when the holder's thread has acquired the object. */
void conformance_hold(conformance_holder *_Nonnull holder);

/* Returns when the holder's thread has released the object and ended. */
void conformance_let_go(conformance_holder *_Nonnull holder);

/* The value of `expression`, an integer. */
#define EXPECT(expression, expected) conformance_int(#expression, (long long)(expression), expected)

/* The error number that `call` returns. */
#define EXPECT_CODE(call, expected) conformance_code(#call, call, expected)

/* `call` returns 0 and leaves errno alone. */
#define EXPECT_OK(call)                                                                 \
  do {                                                                                  \
    errno = ENOTEMPTY;                                                                  \
    int code_ = (call);                                                                 \
    int errno_ = errno;                                                                 \
    conformance_code(#call, code_, 0);                                                  \
    if (errno_ != ENOTEMPTY) conformance_code("errno after " #call, errno_, ENOTEMPTY); \
  } while (0)

/* `call` returns -1 and says why in errno. */
#define EXPECT_ERRNO(call, expected)                              \
  do {                                                            \
    errno = 0;                                                    \
    int result_ = (call);                                         \
    conformance_code(#call, result_ == -1 ? errno : 0, expected); \
  } while (0)

#endif
