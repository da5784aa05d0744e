#ifdef __linux__
#include "ground/base.h"
#include "ground/tag.h"
#include "ground/kernel.h"
#include "ground/real.h"
#include <errno.h>
#include <sys/auxv.h>

TM_GATE_CODE_BEGIN

uint64_t tm_tag_secret;

/* Returns whether the words of a new mutex are 0, and whether what is written there outlives all
 * uses of the mutex. */
static bool are_left_alone(pthread_mutex_t *m) {
  uint64_t *place = tm_tag_place(m);
  bool free = place[0] == 0 && place[1] == 0;
  place[0] = UINT64_MAX, place[1] = UINT64_MAX - 1;
  TM_REAL(pthread_mutex_lock)(m);
  free = free && TM_REAL(pthread_mutex_trylock)(m) != 0;
  TM_REAL(pthread_mutex_unlock)(m);
  free = free && place[0] == UINT64_MAX && place[1] == UINT64_MAX - 1;
  place[0] = place[1] = 0;
  return free;
}

void tm_tags_prepare(void) {
  pthread_mutex_t m;
  const uint64_t *random = (const uint64_t *)getauxval(AT_RANDOM);
  if (!TM_HAS_TAGS || TM_REAL(pthread_mutex_init)(&m, NULL) != 0) return;
  if (are_left_alone(&m)) tm_tag_secret = (random ? random[1] : 0) | 1;
  TM_REAL(pthread_mutex_destroy)(&m);
}

bool tm_tag_peek(const void *mutex, tm_tag *tag) {
  uint64_t words[2];
  int saved = errno;
  bool there = TM_HAS_TAGS && tm_peek(tm_tag_place(mutex), words, sizeof words);
  errno = saved;
  return there && tm_tag_unpack(mutex, words, tag);
}

TM_GATE_CODE_END
#endif
