/* Counters: sums that depend on the order, and counts that must not be reached. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  int value, other, i, j, turn;
  int cells[16];
} shared;

static void begin(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
}

/* The third thread must not see what both others have added. */
static void *add_one(void *unused) {
  pthread_mutex_lock(&lock);
  shared.value++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *add_two(void *unused) {
  pthread_mutex_lock(&lock);
  shared.value += 2;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *see_three(void *unused) {
  pthread_mutex_lock(&lock);
  port_check(shared.value < 3);
  pthread_mutex_unlock(&lock);
  return unused;
}

static bool lazy(void) {
  begin();
  port_start(add_one, NULL);
  port_start(add_two, NULL);
  port_start(see_three, NULL);
  return port_end();
}

/* Two threads add the other one's number to their own: the greatest sum is a Fibonacci number. */
enum { FIBONACCI_ROUNDS = 3, FIBONACCI_MOST = 21 };

static void *add_j(void *unused) {
  for (int round = 0; round < FIBONACCI_ROUNDS; round++) shared.i += shared.j;
  return unused;
}

static void *add_i(void *unused) {
  for (int round = 0; round < FIBONACCI_ROUNDS; round++) shared.j += shared.i;
  return unused;
}

static bool fibonacci(void) {
  begin();
  shared.i = shared.j = 1;
  port_start(add_j, NULL);
  port_start(add_i, NULL);
  bool failed = port_end();
  return failed || shared.i >= FIBONACCI_MOST || shared.j >= FIBONACCI_MOST;
}

/* Two threads raise two numbers by turns, and none may come too far. */
enum { TRIANGLE_ROUNDS = 3, TRIANGLE_MOST = 2 * TRIANGLE_ROUNDS + 3 };

static void *above_j(void *unused) {
  for (int round = 0; round < TRIANGLE_ROUNDS; round++) shared.i = shared.j + 1;
  return unused;
}

static void *above_i(void *unused) {
  for (int round = 0; round < TRIANGLE_ROUNDS; round++) shared.j = shared.i + 1;
  return unused;
}

static bool triangular(void) {
  begin();
  shared.i = 3, shared.j = 4;
  port_start(above_j, NULL);
  port_start(above_i, NULL);
  bool failed = port_end();
  return failed || shared.i > TRIANGLE_MOST || shared.j > TRIANGLE_MOST;
}

/* Each thread takes the next cell, and two may take the same. */
enum { SIGMA = 5 };

static void *take_cell(void *unused) {
  int cell = shared.turn;
  shared.turn = cell + 1;
  shared.cells[cell] = 1;
  return unused;
}

static bool sigma(void) {
  begin();
  port_start_many(take_cell, SIGMA);
  bool failed = port_end();
  int sum = 0;
  for (int i = 0; i < SIGMA; i++) sum += shared.cells[i];
  return failed || sum != SIGMA;
}

/* Two numbers, each with one lock, changed in opposite orders. */
static void *add_then_double(void *unused) {
  pthread_mutex_lock(&lock);
  shared.i++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  shared.j++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *add_five_and_six(void *unused) {
  pthread_mutex_lock(&lock);
  shared.i += 5;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  shared.j -= 6;
  pthread_mutex_unlock(&lock);
  return unused;
}

static bool stateful(void) {
  begin();
  shared.i = shared.j = 10;
  port_start(add_then_double, NULL);
  port_start(add_five_and_six, NULL);
  bool failed = port_end();
  return failed || (shared.i == 16 && shared.j == 5);
}

/* The last cell that is zero is looked for while others write the cells. */
enum { CELLS = 4 };

static void *find_zero(void *unused) {
  shared.i = CELLS;
  while (shared.i > 0 && shared.cells[shared.i] != 0) shared.i--;
  return unused;
}

static void *set_from_before(void *argument) {
  int cell = port_number(argument) + 1;
  shared.cells[cell] = shared.cells[cell - 1] + 1;
  return NULL;
}

static bool last_zero(void) {
  begin();
  port_start(find_zero, NULL);
  port_start_many(set_from_before, CELLS);
  bool failed = port_end();
  return failed || shared.i == 2;
}

static const bench_port ports[] = {
    {"lazy", lazy},         {"fibonacci", fibonacci}, {"triangular", triangular},
    {"sigma", sigma},       {"stateful", stateful},   {"last-zero", last_zero},
    {NULL, NULL},
};

bench_port bench_counter(int number) { return ports[number]; }
