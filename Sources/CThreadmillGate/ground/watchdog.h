/* The watchdog: one thread of the gate's own that looks at the program now and then, while a check
 * is armed. It is not watched, handles none of the program's signals, is made when it is first
 * needed, and sleeps without a wake-up while no check is armed. A forked child does not have it. It
 * never keeps a process alive: it ends when it is the last thread. */
#ifndef TM_WATCHDOG_H
#define TM_WATCHDOG_H

/* The time between two looks. Checks count looks rather than time: while the process is stopped, or
 * gets no core, there are none. */
enum { TM_TICK_MS = 100 };

/* Static, one for each thing to look for. `look` runs on the watchdog's thread, one at a time,
 * while the check is armed; it may read the threads' state (their sequence numbers tell whether
 * they moved), take its time, and make up-calls with `tm_watchdog_call`. */
typedef struct tm_check {
  void (*look)(struct tm_check *);
  atomic_uint armed;             /* arms without a disarm so far */
  struct tm_check *_Atomic next; /* in the list of all; never taken out */
  atomic_bool listed;
} tm_check;

/* Both may be called from any thread, often and at little cost; each arm is matched by one disarm.
 * The first arm makes the thread: not on the path of a lock. */
void tm_watchdog_arm(tm_check *);
void tm_watchdog_disarm(tm_check *);

/* Makes the thread, for urgent work later. */
void tm_watchdog_prepare(void);
/* Makes the thread do this work next, even if no check is armed; safe in a signal handler. Returns
 * false if other urgent work waits, or if there is no thread. */
bool tm_watchdog_urgent(void (*work)(void));

/* A thread has ended: if the main thread has too, the watchdog looks whether it is the last one. */
void tm_watchdog_thread_ends(bool is_main);

/* Ends the thread before a fork. Returns whether there was one to end: the parent then makes it
 * again with `tm_watchdog_prepare`. */
bool tm_watchdog_leave(void);

/* Called on the watchdog's thread: lets it take signals from now on. The Swift runtime, when it
 * shows the threads of a dying process, stops each thread by a signal. */
void tm_watchdog_obey(void);

/* Calls up into Swift from a check: `work` runs with the runtime's lock held, and what it promises
 * is delivered afterwards. */
void tm_watchdog_call(void (*work)(void *), void *context);
#endif
