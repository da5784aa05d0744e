/* More than the gate's tables have room for at first. */
#include "endings.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 300 };

/* Of the gate, which is linked into this program. */
void tm_set_last_words(const char *text, uint64_t length);

int ends_by_abort_with_many_words(void) {
  static char words[MANY][8];
  for (int i = 0; i < MANY; i++) {
    int length = snprintf(words[i], sizeof words[i], "w%d\n", i);
    tm_set_last_words("", 0);
    tm_set_last_words(words[i], (uint64_t)length);
  }
  abort();
}
