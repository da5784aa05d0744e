/* A protocol of two stages: each value has a lock, the second one is made from the first, and a
 * reader comes between. */
#include "port.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int first, second;
} shared;

static void *write_both(void *unused) {
  pthread_mutex_lock(&first_lock);
  shared.first = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  shared.second = shared.first + 1;
  pthread_mutex_unlock(&second_lock);
  return unused;
}

static void *read_both(void *unused) {
  pthread_mutex_lock(&first_lock);
  int first = shared.first;
  pthread_mutex_unlock(&first_lock);
  if (first == 0) return unused;
  pthread_mutex_lock(&second_lock);
  port_check(shared.second == first + 1);
  pthread_mutex_unlock(&second_lock);
  return unused;
}

static bool two_stage(int threads) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start_many(write_both, threads - 1);
  port_start(read_both, NULL);
  return port_end();
}

static bool two_stage_2(void) { return two_stage(2); }
static bool two_stage_20(void) { return two_stage(20); }
static bool two_stage_50(void) { return two_stage(50); }
static bool two_stage_100(void) { return two_stage(100); }

/* Three phases of two threads, each of which has to be over before the next one; the second thread
 * does not wait for the last. */
static struct {
  int phase, result;
} work;

static void *prepare(void *unused) {
  pthread_mutex_lock(&first_lock);
  work.phase = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&first_lock);
  work.result = 7;
  work.phase = 2;
  pthread_mutex_unlock(&first_lock);
  return unused;
}

static void *use(void *unused) {
  pthread_mutex_lock(&first_lock);
  int phase = work.phase;
  pthread_mutex_unlock(&first_lock);
  if (phase == 0) return unused;
  pthread_mutex_lock(&first_lock);
  port_check(work.result == 7);
  pthread_mutex_unlock(&first_lock);
  return unused;
}

static bool phases(void) {
  memset(&work, 0, sizeof work);
  port_begin();
  port_start(prepare, NULL);
  port_start(use, NULL);
  return port_end();
}

static const bench_port ports[] = {
    {"two-stage", two_stage_2},
    {"two-stage-20", two_stage_20},
    {"two-stage-50", two_stage_50},
    {"two-stage-100", two_stage_100},
    {"phases", phases},
    {NULL, NULL},
};

bench_port bench_stage(int number) { return ports[number]; }
