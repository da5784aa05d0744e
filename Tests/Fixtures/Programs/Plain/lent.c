/* Two threads and a box on the heap, whose owner lets go of it too early. With a second argument,
 * the program is repaired. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *box;
static int count;
static bool began, is_repaired;

static void *use(void *unused) {
  pthread_mutex_lock(&lock);
  *box += 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *drop(void *unused) {
  pthread_mutex_lock(&lock);
  if (!is_repaired) free(box);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *take(void *lent) {
  *(int *)lent += 1;
  return NULL;
}

static void *add(void *unused) {
  if (is_repaired) pthread_mutex_lock(&lock);
  count = count + 1;
  if (is_repaired) pthread_mutex_unlock(&lock);
  return unused;
}

static void *expect_begin(void *unused) {
  assert(began);
  return unused;
}

static void run_both(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t one, other;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&other, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}

/* The one that is made later may free what the other one uses. */
static void dropped(void) {
  box = calloc(1, sizeof *box);
  run_both(use, drop);
  if (is_repaired) free(box);
}

/* The maker of a thread frees the box that it has given to the thread. */
static void given(void) {
  int *lent = calloc(1, sizeof *lent);
  pthread_t taker;
  pthread_create(&taker, NULL, take, lent);
  if (is_repaired) pthread_join(taker, NULL);
  free(lent);
  if (!is_repaired) pthread_join(taker, NULL);
}

/* The new thread may do all of its work before its maker's next statement. */
static void early(void) {
  pthread_t one;
  began = is_repaired;
  pthread_create(&one, NULL, expect_begin, NULL);
  began = true;
  pthread_join(one, NULL);
}

static void counted(void) {
  run_both(add, add);
  assert(count == 2);
}

int main(int count_of_words, char **words) {
  is_repaired = count_of_words > 2;
  if (strcmp(words[1], "dropped") == 0) dropped();
  else if (strcmp(words[1], "given") == 0) given();
  else if (strcmp(words[1], "early") == 0) early();
  else counted();
  return 0;
}
