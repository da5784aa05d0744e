/* More than the gate's tables have room for at first. */
#include "endings.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 300, QUEUE_BYTES = 256 };

/* Of the gate, which is linked into this program. */
void tm_add_last_words(const char *text, uint64_t length);
void tm_workers_prepare(const void *queue);

int ends_by_abort_with_many_words(void) {
  for (int i = 0; i < MANY; i++) {
    char words[8];
    int length = snprintf(words, sizeof words, "w%d\n", i);
    tm_add_last_words(words, (uint64_t)length);
  }
  abort();
}

int has_many_pools(void) {
  static char queues[MANY][QUEUE_BYTES];
  for (int i = 0; i < MANY; i++) tm_workers_prepare(queues[i]);
  return 0;
}
