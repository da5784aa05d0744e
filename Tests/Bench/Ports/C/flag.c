/* Flags and conditions: a driver that stops, a token that goes round, conditions that nobody keeps
 * watch on. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;

static struct {
  int stopping, stopped, pending, event;
  int tokens[5];
  int items;
} shared;

static void begin(void) {
  static const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
  static const pthread_cond_t new_condition = PTHREAD_COND_INITIALIZER;
  memcpy(&lock, &new_lock, sizeof lock);
  memcpy(&full, &new_condition, sizeof full);
  memcpy(&empty, &new_condition, sizeof empty);
  memset(&shared, 0, sizeof shared);
  port_begin();
}

/* A request looks whether the driver stops, and then counts itself as pending. */
static bool enter_driver(void) {
  if (shared.stopping) return false;
  __atomic_fetch_add(&shared.pending, 1, __ATOMIC_SEQ_CST);
  return true;
}

static void leave_driver(void) {
  if (__atomic_sub_fetch(&shared.pending, 1, __ATOMIC_SEQ_CST) == 0) shared.event = 1;
}

static void *request(void *unused) {
  if (!enter_driver()) return unused;
  port_check(!shared.stopped);
  leave_driver();
  return unused;
}

static void *stop(void *unused) {
  shared.stopping = 1;
  leave_driver();
  if (shared.event) shared.stopped = 1;
  return unused;
}

static bool bluetooth(void) {
  begin();
  shared.pending = 1;
  port_start(request, NULL);
  port_start(stop, NULL);
  return port_end();
}

/* Each thread takes the token of the one before it; all must have the same in the end. */
static void *pass_token(void *argument) {
  int me = port_number(argument) + 1;
  pthread_mutex_lock(&lock);
  shared.tokens[me] = (shared.tokens[me == 1 ? 3 : me - 1] + 1) % 4;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *check_tokens(void *unused) {
  pthread_mutex_lock(&lock);
  bool first = (shared.tokens[1] + 1) % 4 == shared.tokens[2];
  port_check(first && (shared.tokens[2] + 1) % 4 == shared.tokens[3]);
  pthread_mutex_unlock(&lock);
  return unused;
}

static bool token_ring(void) {
  begin();
  shared.tokens[1] = 1, shared.tokens[2] = 2, shared.tokens[3] = 3;
  port_start_many(pass_token, 3);
  port_start(check_tokens, NULL);
  return port_end();
}

/* Two threads that wait for each other's signal, which is lost if nobody waits yet. */
static void *put_one(void *unused) {
  pthread_mutex_lock(&lock);
  if (shared.items > 0) pthread_cond_wait(&empty, &lock);
  shared.items++;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&full);
  return unused;
}

static void *take_one(void *unused) {
  pthread_mutex_lock(&lock);
  if (shared.items == 0) pthread_cond_wait(&full, &lock);
  shared.items--;
  port_check(shared.items >= 0);
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&empty);
  return unused;
}

/* One item is put, and a waiter is not alone: the item may be gone when it wakes. */
static bool stolen_wakeup(void) {
  begin();
  port_start_many(take_one, 2);
  port_start_many(put_one, 2);
  return port_end();
}

/* The items are counted outside of the lock. */
static void *wait_unlocked(void *unused) {
  if (shared.items == 0) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&full, &lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *signal_unlocked(void *unused) {
  shared.items = 1;
  pthread_cond_signal(&full);
  return unused;
}

static bool missed_signal(void) {
  begin();
  port_start(wait_unlocked, NULL);
  port_start(signal_unlocked, NULL);
  return port_end();
}

static const bench_port ports[] = {
    {"bluetooth", bluetooth},
    {"token-ring", token_ring},
    {"stolen-wakeup", stolen_wakeup},
    {"missed-signal", missed_signal},
    {NULL, NULL},
};

bench_port bench_flag(int number) { return ports[number]; }
