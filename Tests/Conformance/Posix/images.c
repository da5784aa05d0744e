/* Visits of the loaded images, dl_iterate_phdr(3): the dynamic linker holds a lock meanwhile. */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static atomic_int visiting;

static int wait_for_lock(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)info, (void)size, (void)unused;
  visiting = 1;
  int code = pthread_mutex_lock(&held);
  return code ? code : pthread_mutex_unlock(&held);
}

static void *visit(void *code) {
  *(int *)code = dl_iterate_phdr(wait_for_lock, NULL);
  return NULL;
}

/* Runs the body with a lock for which a visitor waits. */
static void while_a_visitor_waits(void (*body)(void)) {
  int code = -1;
  EXPECT_OK(pthread_mutex_lock(&held));
  pthread_t visitor = conformance_start(visit, &code);
  conformance_await(&visiting, 1);
  body();
  EXPECT_OK(pthread_mutex_unlock(&held));
  EXPECT_OK(pthread_join(visitor, NULL));
  EXPECT_OK(code);
}

static void nest(void) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
}

static int compare(const void *a, const void *b) {
  nest();
  return *(const int *)a - *(const int *)b;
}

/* The C library has no frame pointers. */
static void nest_below_the_library(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
}

static void visitor_waits_for_a_lock(void) { while_a_visitor_waits(nest_below_the_library); }

static void *nest_in_thread(void *unused) {
  nest_below_the_library();
  return unused;
}

static void start_a_thread(void) {
  EXPECT_OK(pthread_join(conformance_start(nest_in_thread, NULL), NULL));
}

static void visitor_waits_for_a_thread(void) { while_a_visitor_waits(start_a_thread); }

static void visitor_waits_for_opposite_orders(void) { while_a_visitor_waits(take_opposite_orders); }

/* Visitors that nest locks themselves, in several threads. */
static int nest_in_visit(struct dl_phdr_info *info, size_t size, void *count) {
  (void)info, (void)size;
  nest_below_the_library();
  atomic_fetch_add((atomic_int *)count, 1);
  return 1;
}

static void *visit_often(void *count) {
  for (int i = 0; i < 100; i++) dl_iterate_phdr(nest_in_visit, count);
  return NULL;
}

static void visitors_nest_locks(void) {
  atomic_int count = 0;
  pthread_t others[3];
  for (int i = 0; i < 3; i++) others[i] = conformance_start(visit_often, &count);
  for (int i = 0; i < 100; i++) nest_below_the_library();
  for (int i = 0; i < 3; i++) EXPECT_OK(pthread_join(others[i], NULL));
  EXPECT(count, 300);
}

const conformance_case image_cases[] = {
    {"image.visitor-waits-for-a-lock", visitor_waits_for_a_lock},
    {"image.visitor-waits-for-a-thread", visitor_waits_for_a_thread},
    {"image.visitor-waits-for-opposite-orders", visitor_waits_for_opposite_orders},
    {"image.visitors-nest-locks", visitors_nest_locks},
    {NULL},
};
