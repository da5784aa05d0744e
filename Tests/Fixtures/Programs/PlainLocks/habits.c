/* Nestings of the same code with many locks. */
#include "plain_locks.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAIRS = 1000, LATE = 700 };

/* Each of the two makes locks of a class of its own. */
static pthread_mutex_t parents[PAIRS + 1], children[PAIRS + 1];
static void make_parent(int i) {
  make_mutex(&parents[i], PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
}
static void make_child(int i) {
  make_mutex(&children[i], PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
}

static void make_parents(int first, int last) {
  for (int i = first; i <= last; i++) make_parent(i);
}

static void make_children(void) {
  for (int i = 0; i <= PAIRS; i++) make_child(i);
}

static void make_all(void) {
  make_parents(0, PAIRS);
  make_children();
}

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

__attribute__((noinline)) static void go_down(int i) { nest(&parents[i], &children[i]); }
__attribute__((noinline)) static void go_up(int i) { nest(&children[i], &parents[i]); }
__attribute__((noinline)) static void go_on(int i) { nest(&parents[i], &parents[i + 1]); }
__attribute__((noinline)) static void go_back(int i) { nest(&parents[i + 1], &parents[i]); }

static void *down_all(void *unused) {
  for (int i = 0; i < PAIRS; i++) go_down(i);
  return unused;
}

static void *on_all(void *unused) {
  for (int i = 0; i < PAIRS; i++) go_on(i);
  return unused;
}

static void *up_late(void *unused) {
  go_up(LATE);
  return unused;
}

static void *back_late(void *unused) {
  go_back(LATE);
  return unused;
}

static void *back_over_others(void *unused) {
  for (int i = 0; i < PAIRS; i++) nest(&children[i + 1], &children[i]);
  return unused;
}

/* Joins nobody before both are over: else one order would come after the other. */
static void both(void *(*first)(void *), void *(*second)(void *)) {
  make_all();
  pthread_t one = start(first, NULL), other = start(second, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}

static atomic_bool is_over;

static void *down_and_say(void *unused) {
  down_all(unused);
  atomic_store(&is_over, true);
  return unused;
}

static void *on_and_say(void *unused) {
  on_all(unused);
  atomic_store(&is_over, true);
  return unused;
}

static void until_over(void) {
  while (!atomic_load(&is_over)) {
  }
}

/* More short-lived locks, in the same nesting, than nestings can be kept. */
static void *down_and_many_more(void *unused) {
  enum { MORE = 100000 };
  down_all(unused);
  for (int i = 0; i < MORE; i++) {
    pthread_mutex_destroy(&children[PAIRS]);
    make_child(PAIRS);
    go_down(PAIRS);
  }
  atomic_store(&is_over, true);
  return unused;
}

static void *then_up(void *unused) {
  until_over();
  return up_late(unused);
}

static void *then_back(void *unused) {
  until_over();
  return back_late(unused);
}

static void of_two_classes(void) { both(down_and_say, then_up); }
static void of_many_more(void) { both(down_and_many_more, then_up); }
static void of_one_class(void) { both(on_and_say, then_back); }
static void of_others(void) { both(down_all, back_over_others); }

/* The lock is made anew by the same calls, at the same address. */
static void of_a_later_lock(void) {
  pthread_t threads[2];
  for (int round = 0; round < 2; round++) {
    make_parents(round == 0 ? 0 : LATE, round == 0 ? PAIRS : LATE);
    if (round == 0) make_children();
    threads[round] = start(round == 0 ? down_and_say : then_up, NULL);
    until_over();
    if (round == 0) pthread_mutex_destroy(&parents[LATE]);
  }
  for (int round = 0; round < 2; round++) pthread_join(threads[round], NULL);
}

static void of_one_thread(void) {
  make_all();
  on_all(NULL);
  down_all(NULL);
}

/* Locks whose memory is given back while they are kept: nothing may look there any more. */
static pthread_mutex_t *gone, upper, lower;

__attribute__((noinline)) static void make_upper(pthread_mutex_t *m) {
  make_mutex(m, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
}
__attribute__((noinline)) static void make_lower(pthread_mutex_t *m) {
  make_mutex(m, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
}

static void *down_and_give_back(void *unused) {
  size_t size = 2 * PAIRS * sizeof *gone;
  gone = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (gone == MAP_FAILED) return unused;
  for (int i = 0; i <= PAIRS; i++) {
    make_upper(i < PAIRS ? &gone[i] : &upper);
    make_lower(i < PAIRS ? &gone[PAIRS + i] : &lower);
  }
  for (int i = 0; i < PAIRS; i++) nest(&gone[i], &gone[PAIRS + i]);
  munmap(gone, size);
  atomic_store(&is_over, true);
  return unused;
}

static void *then_up_with_others(void *unused) {
  until_over();
  nest(&lower, &upper);
  return unused;
}

static void of_gone_memory(void) { both(down_and_give_back, then_up_with_others); }

const lock_case habit_cases[] = {
    {"habit-of-two-classes", of_two_classes}, {"habit-of-one-class", of_one_class},
    {"habit-of-others", of_others},           {"habit-of-a-later-lock", of_a_later_lock},
    {"habit-of-one-thread", of_one_thread},   {"habit-of-gone-memory", of_gone_memory},
    {"habit-of-many-more", of_many_more},     {NULL, NULL},
};
