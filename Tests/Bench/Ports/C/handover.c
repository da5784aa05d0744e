/* Things handed over from one thread to another: a producer with a buffer, an index. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;

enum { ROOM = 2, ROUNDS = 3, TABLE = 8 };

static struct {
  int count;
  int table[TABLE];
} shared;

static void begin(void) {
  static const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
  static const pthread_cond_t new_condition = PTHREAD_COND_INITIALIZER;
  memcpy(&lock, &new_lock, sizeof lock);
  memcpy(&filled, &new_condition, sizeof filled);
  memcpy(&emptied, &new_condition, sizeof emptied);
  memset(&shared, 0, sizeof shared);
  port_begin();
}

/* A bounded buffer. A consumer leaves the lock between its check and its removal. */
static void *produce(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&lock);
    while (shared.count == ROOM) pthread_cond_wait(&emptied, &lock);
    shared.count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&lock);
    while (shared.count == 0) pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    port_check(shared.count > 0);
    shared.count--;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static bool bounded_buffer(void) {
  begin();
  port_start_many(produce, 2);
  port_start_many(consume, 2);
  return port_end();
}

/* Messages go into a table; a place that is free when it is looked at may be taken when it is
 * written. */
static void *insert(void *argument) {
  int message = port_number(argument) + 1, at = (message * 7) % TABLE;
  if (message > 6) at = (message - 6) * 7 % TABLE;
  while (shared.table[at] != 0) at = (at + 1) % TABLE;
  shared.table[at] = message;
  return NULL;
}

static bool indexer(void) {
  begin();
  port_start_many(insert, 7);
  bool failed = port_end();
  int found = 0;
  for (int i = 0; i < TABLE; i++) found += shared.table[i] != 0;
  return failed || found != 7;
}

static const bench_port ports[] = {
    {"bounded-buffer", bounded_buffer},
    {"indexer", indexer},
    {NULL, NULL},
};

bench_port bench_handover(int number) { return ports[number]; }
