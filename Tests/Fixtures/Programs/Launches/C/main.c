/* Whole programs for `threadmill explore`: a mistake in one order of threads, and, with "repaired"
 * as the second word, the same without it. Each leaves its state where a second run in the same
 * process would find it. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool repaired;
static const char *second_word = "";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int value;

static pthread_t start(void *(*body)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL) != 0) abort();
  return thread;
}

static void both(void *(*one)(void *), void *(*two)(void *)) {
  pthread_t first = start(one), second = start(two);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static int get(void) {
  pthread_mutex_lock(&mutex);
  int result = value;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void set(int to) {
  pthread_mutex_lock(&mutex);
  value = to;
  pthread_mutex_unlock(&mutex);
}

/* Two calls that are one step only together. */
static void *add(void *unused) {
  if (repaired) pthread_mutex_lock(&other);
  set(get() + 1);
  if (repaired) pthread_mutex_unlock(&other);
  return unused;
}

static int lost_update(void) {
  both(add, add);
  printf("value %d\n", get());
  assert(value == 2);
  return 0;
}

/* A cache that is filled twice: only the status says so. */
static void *fill(void *unused) {
  if (repaired) pthread_mutex_lock(&other);
  if (get() == 0) {
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
  }
  if (repaired) pthread_mutex_unlock(&other);
  return unused;
}

static int filled_twice(void) {
  both(fill, fill);
  return value == 1 ? 0 : 3;
}

/* Each thread changes the value once, among many other steps. Two changes at once are a mistake. */
static int changing, most_changing;

static void change(void) {
  if (repaired) pthread_mutex_lock(&other);
  if (++changing > most_changing) most_changing = changing;
  get(); /* in the midst of a change */
  changing--;
  if (repaired) pthread_mutex_unlock(&other);
}

static void *change_soon(void *unused) {
  for (int i = 0; i < 60; i++) {
    if (i == 5) change(); /* soon */
    set(i);
  }
  return unused;
}

static void *change_late(void *unused) {
  for (int i = 0; i < 60; i++) {
    if (i == 45) change(); /* late */
    set(i);
  }
  return unused;
}

static int two_changes(void) {
  both(change_soon, change_late);
  return most_changing == 2 ? 3 : 0;
}

/* A signal before the wait. */
static void *wake(void *unused) {
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static int lost_signal(void) {
  pthread_t thread = start(wake);
  pthread_mutex_lock(&mutex);
  if (!repaired) pthread_cond_wait(&condition, &mutex);
  while (value == 0) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}
static void *one_way(void *unused) {
  nest(&mutex, &other);
  return unused;
}
static void *other_way(void *unused) {
  if (repaired) nest(&mutex, &other);
  else nest(&other, &mutex);
  return unused;
}

static int deadlock(void) {
  both(one_way, other_way);
  return 0;
}

/* A thread that main does not wait for. */
static int *shared;

static void *use(void *unused) {
  pthread_mutex_lock(&mutex);
  bool is_there = shared != NULL;
  if (!repaired) pthread_mutex_unlock(&mutex), pthread_mutex_lock(&mutex);
  if (is_there) *(volatile int *)shared = 3;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static int not_joined(void) {
  shared = &value;
  pthread_detach(start(use));
  pthread_mutex_lock(&mutex);
  shared = NULL;
  pthread_mutex_unlock(&mutex);
  return 0;
}

/* The main thread ends before the others, and the last thread runs the handlers. */
static void check_at_exit(void) {
  if (value != 1) _exit(5);
}

static int main_ends_first(void) {
  atexit(check_at_exit);
  start(fill);
  start(fill);
  pthread_exit(NULL);
}

/* What is on standard input decides, and every schedule reads all of it. */
static int reads_input(void) {
  char line[16];
  int lines = 0;
  while (fgets(line, sizeof line, stdin)) lines++;
  return lines == 2 ? filled_twice() : 4;
}

/* An initialiser that locks, which runs once while another thread asks for it. Correct. */
static void initialise(void) { set(get() + 1); }
static void *ask(void *unused) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise);
  return unused;
}
static int runs_once(void) {
  both(ask, ask);
  return value == 1 ? 0 : 3;
}

/* A thread that is there before main, and that main waits for. Correct. */
static void *serve(void *unused) {
  pthread_mutex_lock(&mutex);
  while (value == 0) pthread_cond_wait(&condition, &mutex);
  value = 2;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}
/* A thread that ends soon. Nobody waits for it, so only time decides when it has ended: it is still
 * there when main would begin. Correct. */
static void *end_soon(void *unused) {
  pthread_detach(pthread_self());
  usleep(50000);
  return unused;
}
__attribute__((constructor)) static void begin_early(int count, char **words) {
  if (count > 1 && strcmp(words[1], "early-thread") == 0) start(serve);
  if (count > 1 && strcmp(words[1], "early-end") == 0) start(end_soon);
}
static int early_end(void) {
  both(add, add);
  return 0;
}
static int early_thread(void) {
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_broadcast(&condition);
  while (value != 2) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

/* More steps than a schedule may have. Correct. */
static int many_steps(void) {
  for (int round = 0; round < 60000; round++) get();
  return 0;
}

/* A loop that waits for another thread without a call. Correct. */
static atomic_int flag;
static void *raise_flag(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}
static int spins(void) {
  pthread_t thread = start(raise_flag);
  while (!atomic_load(&flag)) {
  }
  pthread_join(thread, NULL);
  return 0;
}

/* A file of one name, which two processes at the same time cannot have. Correct. */
static int owns_file(void) {
  int file = open(second_word, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return 3;
  close(file);
  both(add, add);
  return unlink(second_word);
}

/* A folder of one name in the folder for temporary files, which stays there. Correct. */
static int leaves_folder(void) {
  char name[4096];
  snprintf(name, sizeof name, "%s/left", getenv("TMPDIR"));
  if (mkdir(name, 0700) != 0) return 3;
  strcat(name, "/file");
  int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return 4;
  both(add, add);
  return close(file);
}

/* The first process ends, and no other one does. */
static int ends_once(void) {
  struct stat status;
  int file = open(second_word, O_CREAT | O_APPEND | O_WRONLY, 0600);
  if (dprintf(file, ".") != 1 || fstat(file, &status) != 0) return 3;
  both(add, add);
  for (volatile bool goes_on = status.st_size > 1; goes_on;) {
  }
  return 0;
}

/* Statuses that Threadmill or a shell might have a use for. */
static int status_124(void) { return 124; }
static int status_125(void) { return 125; }

static const struct {
  const char *name;
  int (*run)(void);
} programs[] = {
    {"lost-update", lost_update}, {"filled-twice", filled_twice}, {"lost-signal", lost_signal},
    {"deadlock", deadlock},       {"not-joined", not_joined},     {"reads-input", reads_input},
    {"main-ends-first", main_ends_first}, {"runs-once", runs_once}, {"early-thread", early_thread},
    {"early-end", early_end},
    {"many-steps", many_steps}, {"spins", spins}, {"status-124", status_124},
    {"status-125", status_125}, {"two-changes", two_changes}, {"owns-file", owns_file},
    {"leaves-folder", leaves_folder}, {"ends-once", ends_once},
};

int main(int count, char **words) {
  if (count > 2) second_word = words[2];
  repaired = count > 2 && strcmp(words[2], "repaired") == 0;
  for (size_t i = 0; count > 1 && i < sizeof programs / sizeof *programs; i++)
    if (strcmp(words[1], programs[i].name) == 0) return programs[i].run();
  fprintf(stderr, "there is no such program\n");
  return 64;
}
