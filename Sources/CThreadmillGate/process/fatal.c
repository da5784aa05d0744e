#ifdef __linux__
#include "ground/base.h"
#include "process/fatal.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/handler_stack.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/watchdog.h"
#include "process/crash.h"
#include "threadmill_gate.h"
#include <signal.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Fatal signals: say what is known, then let the signal do what it would have done. */
typedef struct words {
  struct words *_Atomic next;
  uint64_t length;
  char text[];
} words;

/* Texts for the end of the process. The texts of a variable belong to the thread that takes them
 * out by an exchange: to a signal handler, which says them, or to a setter, which frees them. A
 * setter may still append to a list that the handler has taken; the handler frees nothing. */
static words *_Atomic first_words, *_Atomic schedules_words;
static words *last_words; /* of the list; the setters take turns */
enum { CRASHES = 6 };
static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP,
                            SIGFPE,  SIGTERM, SIGINT, SIGHUP};
enum { FATALS = sizeof fatal / sizeof *fatal, INTERRUPT = 7 };
_Static_assert(FATALS == 9, "SIGINT is the last but one");
static struct sigaction before[FATALS];
static int listening; /* the number of signals taken over for good, from the first */
static bool
    heeds_interrupt;   /* SIGINT alone is taken over, for as long as the program stands still */
static tm_spin taking; /* guards both */
static pid_t speaker;

static void say(const words *w) {
  for (uint64_t at = 0; at < w->length;) {
    ssize_t written = write(2, w->text + at, w->length - at);
    if (written <= 0) return;
    at += written;
  }
}

static void say_last_words(void) {
  for (words *w = atomic_exchange(&first_words, NULL); w; w = atomic_load(&w->next)) say(w);
  words *w = atomic_exchange(&schedules_words, NULL);
  if (w) say(w);
}

/* The Swift runtime's handler starts a program that reads this one's memory from a thread of the
 * handler's, and waits for it. None of that is watched, or a step of an exploration. The handler
 * does not return. */
static void leave_to_runtime(const struct sigaction *handler) {
  if (tm_is_system_code((uintptr_t)handler->sa_sigaction)) tm_enter_harness();
}

static void on_fatal(int number, siginfo_t *info, void *context) {
  int which = 0;
  while (fatal[which] != number) which++;
  if (getpid() == speaker) {
    if (which < CRASHES) tm_crash_tell(number, context);
    else tm_ending_save(number, context);
    say_last_words();
  }
  if (which < CRASHES) {
    tm_handler_stack_drop(context);
    leave_to_runtime(&before[which]);
  }
  TM_REAL(sigaction)(number, &before[which], NULL);
  /* A signal that an instruction raised comes again when the instruction is executed again, unless
   * it was a breakpoint, which is behind us. A signal that a process or a terminal sent is raised
   * again here. */
  bool sent = number == SIGTERM || number == SIGINT || number == SIGHUP || info->si_code <= 0;
  if (!sent && number != SIGTRAP) return;
  raise(number);
  /* By its return address, this call is the gate's own and no step of an exploration: it must not
   * become a jump. */
  __asm__ volatile("");
}

static void take_over(int which) {
  struct sigaction ours = {.sa_sigaction = on_fatal,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&ours.sa_mask);
  speaker = getpid();
  TM_REAL(sigaction)(fatal[which], &ours, NULL);
}

static bool is_handled_by(const struct sigaction *action, void (*handler)(int)) {
  return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == handler;
}

/* Takes over the first `count` signals, only when there is something to say: until then, a program
 * that asks for the action of a signal gets the true answer. If crashes are findings, their signals
 * are taken over from the start. */
static void listen_to(int count) {
  tm_spin_lock(&taking);
  for (; listening < count; listening++) {
    if (listening == INTERRUPT && heeds_interrupt) continue;
    if (TM_REAL(sigaction)(fatal[listening], NULL, &before[listening]) != 0) continue;
    if (!is_handled_by(&before[listening], SIG_IGN)) take_over(listening);
  }
  tm_spin_unlock(&taking);
}

static void heed_interrupt(void) {
  if (TM_REAL(sigaction)(SIGINT, NULL, &before[INTERRUPT]) != 0) return;
  if (!is_handled_by(&before[INTERRUPT], SIG_DFL)) return;
  take_over(INTERRUPT);
  heeds_interrupt = true;
}

/* A handler that the program has set meanwhile stays. */
static void give_interrupt_back(void) {
  struct sigaction current;
  heeds_interrupt = false;
  if (TM_REAL(sigaction)(SIGINT, NULL, &current) == 0 && current.sa_flags & SA_SIGINFO &&
      current.sa_sigaction == on_fatal)
    TM_REAL(sigaction)(SIGINT, &before[INTERRUPT], NULL);
}

void tm_interrupt_heed(bool heeds) {
  tm_spin_lock(&taking);
  if (listening < FATALS && heeds != heeds_interrupt) {
    if (heeds) heed_interrupt();
    else give_interrupt_back();
  }
  tm_spin_unlock(&taking);
}

static void forget(words *w) {
  while (w) {
    words *next = atomic_load(&w->next);
    tm_pool_give(w, sizeof *w + w->length);
    w = next;
  }
}

/* Copies the text; NULL if there is none, or no memory. */
static words *keep(const char *text, uint64_t length) {
  words *w = text ? tm_pool_take(sizeof *w + length) : NULL;
  if (text && !w) tm_count_one(TM_MEMORY_REFUSED);
  if (!w) return NULL;
  w->length = length;
  tm_copy(w->text, text, length);
  return w;
}

void tm_expect_the_end(void) {
  if (listening < FATALS) listen_to(FATALS);
}

void tm_add_last_words(const char *text, uint64_t length) {
  tm_expect_the_end();
  words *w = keep(text, length);
  if (!w) return;
  if (atomic_load(&first_words)) atomic_store(&last_words->next, w);
  else atomic_store(&first_words, w);
  last_words = w;
}

void tm_set_schedules_last_words(const char *text, uint64_t length) {
  if (text) tm_expect_the_end();
  forget(atomic_exchange(&schedules_words, keep(text, length)));
}

void tm_forget_last_words(void) {
  forget(atomic_exchange(&first_words, NULL));
  tm_set_schedules_last_words(NULL, 0);
}

void tm_fatal_own(void) {
  speaker = getpid();
  tm_watchdog_prepare();
}

void tm_fatal_prepare(void) {
  if (tm_settings_now.tells_crashes || tm_settings_now.saves) tm_watchdog_prepare();
  if (tm_settings_now.tells_crashes) listen_to(CRASHES);
}

TM_GATE_CODE_END
#endif
