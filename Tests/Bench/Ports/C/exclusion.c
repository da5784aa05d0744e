/* Mutual exclusion without locks, each with one mistake: Dekker, Peterson, Lamport, Szymanski. */
#include "port.h"
#include <sched.h>

static struct {
  int wants[2];
  int turn, inside, first, second;
} shared;

static void begin(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
}

static void be_inside(int me) {
  shared.inside = me;
  port_check(shared.inside == me);
}

/* Looks at the other's wish before it says its own. */
static void *dekker_thread(void *argument) {
  int me = port_number(argument), other = 1 - me;
  while (shared.wants[other]) {
    if (shared.turn == me) continue;
    shared.wants[me] = 0;
    while (shared.turn != me) sched_yield();
  }
  shared.wants[me] = 1;
  be_inside(me);
  shared.turn = other;
  shared.wants[me] = 0;
  return NULL;
}

static bool dekker(void) {
  begin();
  port_start_many(dekker_thread, 2);
  return port_end();
}

/* Gives the turn away before it says its wish. */
static void *peterson_thread(void *argument) {
  int me = port_number(argument), other = 1 - me;
  shared.turn = other;
  shared.wants[me] = 1;
  while (shared.wants[other] && shared.turn == other) sched_yield();
  be_inside(me);
  shared.wants[me] = 0;
  return NULL;
}

static bool peterson(void) {
  begin();
  port_start_many(peterson_thread, 2);
  return port_end();
}

/* The fast way does not look at the first name again. */
static void *lamport_thread(void *argument) {
  int me = port_number(argument), name = me + 1;
  for (;;) {
    shared.wants[me] = 1;
    shared.first = name;
    if (shared.second != 0) {
      shared.wants[me] = 0;
      while (shared.second != 0) sched_yield();
      continue;
    }
    shared.second = name;
    if (shared.first == name || shared.second == name) break;
    shared.wants[me] = 0;
  }
  be_inside(me);
  shared.second = 0;
  shared.wants[me] = 0;
  return NULL;
}

static bool lamport(void) {
  begin();
  port_start_many(lamport_thread, 2);
  return port_end();
}

/* The last wait, for those in the waiting room before, is left out. */
static void *szymanski_thread(void *argument) {
  int me = port_number(argument), other = 1 - me;
  shared.wants[me] = 1;
  while (shared.wants[other] >= 3) sched_yield();
  shared.wants[me] = 3;
  if (shared.wants[other] == 1) {
    shared.wants[me] = 2;
    while (shared.wants[other] != 4 && shared.wants[other] != 0) sched_yield();
  }
  shared.wants[me] = 4;
  be_inside(me);
  shared.wants[me] = 0;
  return NULL;
}

static bool szymanski(void) {
  begin();
  port_start_many(szymanski_thread, 2);
  return port_end();
}

/* Readers and writers count themselves, and a writer does not look at the readers again. */
static void *reader(void *unused) {
  while (shared.wants[1]) sched_yield();
  __atomic_fetch_add(&shared.wants[0], 1, __ATOMIC_SEQ_CST);
  int before = shared.inside;
  port_check(shared.inside == before);
  __atomic_fetch_sub(&shared.wants[0], 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void *writer(void *unused) {
  while (shared.wants[0]) sched_yield();
  shared.wants[1] = 1;
  shared.inside++;
  shared.wants[1] = 0;
  return unused;
}

static bool read_write(void) {
  begin();
  port_start(writer, NULL);
  port_start_many(reader, 2);
  return port_end();
}

static const bench_port ports[] = {
    {"dekker", dekker},       {"peterson", peterson},     {"lamport", lamport},
    {"szymanski", szymanski}, {"read-write", read_write}, {NULL, NULL},
};

bench_port bench_exclusion(int number) { return ports[number]; }
