/* Locks: the wrong one, a check under it, opposite orders, a ring of forks, a lock taken twice. */
#include "port.h"

static pthread_mutex_t locks[8] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* Both locks belong to one run: those of a run that deadlocked stay taken. */
static void renew_locks(int count) {
  static const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < count; i++) memcpy(&locks[i], &new_lock, sizeof new_lock);
}

static struct {
  int value, deposited, withdrawn, balance;
} shared;

/* One function adds under one lock, and others under another one. */
static void *add_under_first(void *unused) {
  pthread_mutex_lock(&locks[0]);
  int before = shared.value;
  shared.value = before + 1;
  port_check(shared.value == before + 1);
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static void *add_under_second(void *unused) {
  pthread_mutex_lock(&locks[1]);
  shared.value++;
  pthread_mutex_unlock(&locks[1]);
  return unused;
}

static bool wrong_lock(int others) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start(add_under_first, NULL);
  port_start_many(add_under_second, others);
  return port_end();
}

static bool wrong_lock_3(void) { return wrong_lock(3); }
static bool wrong_lock_7(void) { return wrong_lock(7); }

/* A balance that is only right as long as not both of the others have been. */
static void *deposit(void *unused) {
  pthread_mutex_lock(&locks[0]);
  shared.balance += 4;
  shared.deposited = 1;
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static void *withdraw(void *unused) {
  pthread_mutex_lock(&locks[0]);
  shared.balance -= 3;
  shared.withdrawn = 1;
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static void *check_balance(void *unused) {
  pthread_mutex_lock(&locks[0]);
  if (shared.deposited && shared.withdrawn) port_check(shared.balance == 0);
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static bool account(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start(check_balance, NULL);
  port_start(deposit, NULL);
  port_start(withdraw, NULL);
  return port_end();
}

static void *first_then_second(void *unused) {
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&locks[1]);
  shared.value++;
  pthread_mutex_unlock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static void *second_then_first(void *unused) {
  pthread_mutex_lock(&locks[1]);
  pthread_mutex_lock(&locks[0]);
  shared.value--;
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_unlock(&locks[1]);
  return unused;
}

static bool deadlock(void) {
  renew_locks(2);
  port_begin();
  port_start(first_then_second, NULL);
  port_start(second_then_first, NULL);
  return port_end();
}

/* Four threads that add under two locks, and two that take both in opposite orders if they see a
 * value of their own. */
static void *take_if_one(void *unused) {
  pthread_mutex_lock(&locks[0]);
  shared.value++;
  if (shared.value == 1) pthread_mutex_lock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_lock(&locks[0]);
  shared.value--;
  if (shared.value == 0) pthread_mutex_unlock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

static bool two_counts(void) {
  renew_locks(2);
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start(take_if_one, NULL);
  port_start(second_then_first, NULL);
  port_start(take_if_one, NULL);
  return port_end();
}

static int forks;

static void *dine(void *argument) {
  int left = port_number(argument), right = (left + 1) % forks;
  pthread_mutex_lock(&locks[left]);
  pthread_mutex_lock(&locks[right]);
  pthread_mutex_unlock(&locks[right]);
  pthread_mutex_unlock(&locks[left]);
  return NULL;
}

static bool philosophers(int count) {
  renew_locks(forks = count);
  port_begin();
  port_start_many(dine, count);
  return port_end();
}

static bool philosophers_3(void) { return philosophers(3); }
static bool philosophers_5(void) { return philosophers(5); }

static const bench_port ports[] = {
    {"wrong-lock-3", wrong_lock_3},
    {"wrong-lock-7", wrong_lock_7},
    {"account", account},
    {"deadlock", deadlock},
    {"two-counts", two_counts},
    {"philosophers-3", philosophers_3},
    {"philosophers-5", philosophers_5},
    {NULL, NULL},
};

bench_port bench_lock(int number) { return ports[number]; }
