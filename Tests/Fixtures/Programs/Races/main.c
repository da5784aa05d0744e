/* Programs with one race each, for a build with Thread Sanitizer, which reports it. An atomic that
 * orders nothing lets the threads meet, and lets one come after the other: of two accesses in the
 * same nanoseconds the sanitizer misses both, as each looks for the other before it leaves its own
 * mark (3 to 5 runs of 100). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int arrived, turn;
static long counter, other_counter;
static long *block;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t ending;
static char early;

static void await_turn(int number) {
  while (atomic_load_explicit(&turn, memory_order_relaxed) < number) sched_yield();
}

static void next_turn(void) { atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed); }

/* Waits for the other one, then for its own turn if it came second. */
static void meet(void) {
  int number = atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
  while (atomic_load_explicit(&arrived, memory_order_relaxed) < 2) sched_yield();
  await_turn(number);
}

/* After what meet() let it do: waits until the other one has done it, too. */
static void part(void) {
  next_turn();
  await_turn(2);
}

static void together(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t threads[2];
  atomic_store(&arrived, 0);
  atomic_store(&turn, 0);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

__attribute__((noinline)) static void count(void) { counter++; }

static void *count_once(void *unused) {
  meet();
  count();
  part();
  return unused;
}

__attribute__((noinline)) static void count_two(void) {
  counter++;
  other_counter++;
}

static void *count_two_once(void *unused) {
  meet();
  count_two();
  part();
  return unused;
}

static void *count_often(void *unused) {
  meet();
  count();
  part();
  for (int i = 0; i < 1000000; i++) count();
  return unused;
}

static void *count_under_first(void *unused) {
  meet();
  pthread_mutex_lock(&first_lock);
  count();
  pthread_mutex_unlock(&first_lock);
  part();
  return unused;
}

static void *count_under_second(void *unused) {
  meet();
  pthread_mutex_lock(&second_lock);
  count();
  pthread_mutex_unlock(&second_lock);
  part();
  return unused;
}

static void *count_then_pass(void *unused) {
  count();
  next_turn();
  return unused;
}

static void *sleep_then_count(void *unused) {
  await_turn(1);
  usleep(1000); /* the finding says that this sleep orders nothing */
  count();
  return unused;
}

static void *release_block(void *unused) {
  free(block);
  next_turn();
  return unused;
}

static void *use_block(void *unused) {
  await_turn(1);
  block[2] = 1;
  return unused;
}

static void *fill_block(void *unused) {
  meet();
  block[1] = 1;
  part();
  return unused;
}

static void count_at_end(void *unused) {
  (void)unused;
  count();
  part();
}

static void *end_with_value(void *unused) {
  pthread_setspecific(ending, &ending);
  meet();
  return unused;
}

static void in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    together(count_once, count_once);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

__attribute__((constructor(101))) static void before_everything(void) {
  const char *wanted = getenv("RACES_EARLY");
  early = wanted && *wanted;
  if (early) together(count_once, count_once);
}

static int late;
__attribute__((destructor)) static void after_everything(void) {
  if (late) together(count_once, count_once);
}

/* Ends the process past its exit handlers. */
static void leave(const char *way) {
  puts("end");
  fflush(stdout);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "once") == 0) together(count_once, count_once);
  if (argc > 2) leave(argv[2]);
  if (strcmp(what, "waits") == 0) {
    together(count_once, count_once);
    for (;;) pause();
  }
  if (strcmp(what, "often") == 0) together(count_often, count_often);
  if (strcmp(what, "two") == 0) together(count_two_once, count_two_once);
  if (strcmp(what, "locks") == 0) together(count_under_first, count_under_second);
  if (strcmp(what, "sleep") == 0) together(count_then_pass, sleep_then_count);
  block = malloc(5 * sizeof *block);
  if (strcmp(what, "freed") == 0) together(release_block, use_block);
  if (strcmp(what, "block") == 0) together(fill_block, fill_block);
  pthread_key_create(&ending, count_at_end);
  if (strcmp(what, "ending") == 0) together(end_with_value, end_with_value);
  if (strcmp(what, "fork") == 0) in_child();
  late = strcmp(what, "late") == 0;
  puts("end");
  return 0;
}
