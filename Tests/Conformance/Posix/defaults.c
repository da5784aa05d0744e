/* The default attributes of threads, which are the program's alone.
 * pthread_setattr_default_np(3), pthread_getattr_np(3). */
#include "conformance_posix.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Smaller than the stack of a thread with default attributes, and big enough to be given such a
 * stack, if libc keeps one that is not in use. */
enum { STACK = 4 << 20 };

static void *measure_stack(void *size) {
  pthread_attr_t attributes;
  EXPECT_OK(pthread_getattr_np(pthread_self(), &attributes));
  EXPECT_OK(pthread_attr_getstacksize(&attributes, size));
  EXPECT_OK(pthread_attr_destroy(&attributes));
  return NULL;
}

static void set_stack_size(size_t bytes) {
  pthread_attr_t attributes;
  EXPECT_OK(pthread_attr_init(&attributes));
  EXPECT_OK(pthread_attr_setstacksize(&attributes, bytes));
  EXPECT_OK(pthread_attr_setguardsize(&attributes, 0));
  EXPECT_OK(pthread_setattr_default_np(&attributes));
  EXPECT_OK(pthread_attr_destroy(&attributes));
}

static atomic_int go;

static void *wait_for_go(void *unused) {
  conformance_await(&go, 1);
  return unused;
}

/* The thread that waits has the one stack that libc has kept: that of the parent's thread. There is
 * a second one only if whoever watches has left it. */
static void stack_is_as_wanted(void *unused) {
  (void)unused;
  size_t size = 0;
  atomic_store(&go, 0);
  pthread_t waits = conformance_start(wait_for_go, NULL);
  set_stack_size(STACK);
  EXPECT_OK(pthread_join(conformance_start(measure_stack, &size), NULL));
  EXPECT(size, STACK);
  atomic_store(&go, 1);
  EXPECT_OK(pthread_join(waits, NULL));
}

static void stack_in_a_child(void) {
  pthread_t waits = conformance_start(wait_for_go, NULL);
  EXPECT(conformance_child(stack_is_as_wanted, NULL), 0);
  atomic_store(&go, 1);
  EXPECT_OK(pthread_join(waits, NULL));
}

/* setuid has whoever watches start threads again, on which a crash is told. */
static void crash_with_least_stack(void) {
  set_stack_size((size_t)PTHREAD_STACK_MIN);
  EXPECT_OK(setuid(getuid()));
  abort();
}

const conformance_case default_cases[] = {
    {"default.stack-in-a-child", stack_in_a_child, 0,
     "it starts no thread in the child of a process with several"},
    {"default.crash-with-least-stack", crash_with_least_stack, CONFORMANCE_SIGNAL + SIGABRT},
    {NULL},
};
