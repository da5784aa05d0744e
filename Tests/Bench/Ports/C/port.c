#include "port.h"

#define UNSEEN __attribute__((no_sanitize("thread")))

static pthread_t threads[PORT_MOST_THREADS];
static int count;
static bool has_failed;

UNSEEN void port_begin(void) { count = 0, has_failed = false; }
UNSEEN void port_fail(void) { has_failed = true; }
UNSEEN bool port_has_failed(void) { return has_failed; }

UNSEEN void port_start(port_thread *thread, void *argument) {
  pthread_create(&threads[count++], NULL, thread, argument);
}

UNSEEN void port_start_many(port_thread *thread, int how_many) {
  for (int i = 0; i < how_many; i++) port_start(thread, (void *)(intptr_t)i);
}

UNSEEN bool port_end(void) {
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return has_failed;
}
