/* Tags: who a mutex is, kept in the mutex itself. Glibc uses the last two words of a mutex only if
 * the mutex is robust. A tag costs no memory and no look-up, so that mutexes may be made and ended
 * as fast as without the gate.
 *
 * A tag is of one process and one address: a mutex that was copied, set to its initial value or
 * mapped by another process has none. */
#ifndef TM_TAG_H
#define TM_TAG_H
#include "ground/base.h"
#include <pthread.h>

typedef struct tm_tag {
  uint64_t id;      /* 48 bits */
  uint32_t created; /* kept stack */
} tm_tag;

#if defined(__PTHREAD_MUTEX_HAVE_PREV) && __PTHREAD_MUTEX_HAVE_PREV && __SIZEOF_POINTER__ == 8
#define TM_HAS_TAGS 1
#else
#define TM_HAS_TAGS 0
#endif

/* Looks whether glibc leaves the words alone; without that, no mutex gets a tag. Called once,
 * before anything is watched. */
void tm_tags_prepare(void);
extern uint64_t tm_tag_secret; /* 0: no mutex gets a tag */


TM_INLINE uint64_t *tm_tag_place(const void *mutex) {
#if TM_HAS_TAGS
  return (uint64_t *)&((pthread_mutex_t *)mutex)->__data.__list;
#else
  static uint64_t none[2];
  (void)mutex;
  return none;
#endif
}

/* Bits of a mutex's kind, as glibc keeps it in the mutex. */
enum {
  TM_MUTEX_ROBUST = 16,
  TM_MUTEX_SHARED = 128,
  TM_MUTEX_ELISION = 256,
  TM_MUTEX_NO_ELISION = 512
};

TM_INLINE bool tm_is_taggable(const void *mutex) {
  int kind = ((const pthread_mutex_t *)mutex)->__data.__kind;
  return TM_LIKELY(!(kind & (TM_MUTEX_ROBUST | TM_MUTEX_SHARED))) && tm_tag_secret;
}

TM_INLINE uint64_t tm_tag_check(const void *mutex, uint64_t id, uint32_t created) {
  return (tm_tag_secret ^ (uintptr_t)mutex) * 0x9E3779B97F4A7C15u + id * 0xE7037ED1A0B428DBu +
         created * 0x8EBC6AF09C88C6E3u;
}

/* Takes a tag out of its words. Returns false if they are none of a mutex at this address. */
TM_INLINE bool tm_tag_unpack(const void *mutex, const uint64_t words[2], tm_tag *tag) {
  if (words[0] == 0) return false;
  *tag = (tm_tag){words[0] >> 16, (uint32_t)words[1]};
  uint64_t check = tm_tag_check(mutex, tag->id, tag->created);
  return ((check >> 16 ^ words[0]) & 0xffff) == 0 && (check ^ words[1]) >> 32 == 0;
}

/* Reads the tag of a living mutex. */
TM_INLINE bool tm_tag_read(const void *mutex, tm_tag *tag) {
  const uint64_t *place = tm_tag_place(mutex);
  uint64_t words[2] = {__atomic_load_n(&place[0], __ATOMIC_RELAXED),
                       __atomic_load_n(&place[1], __ATOMIC_RELAXED)};
  return tm_tag_unpack(mutex, words, tag);
}

/* The same for a mutex that may be gone, together with its memory. A system call. */
bool tm_tag_peek(const void *mutex, tm_tag *tag);

/* Gives a new mutex its tag, and takes it away again before the mutex ends. */
TM_INLINE void tm_tag_write(const void *mutex, tm_tag tag) {
  uint64_t *place = tm_tag_place(mutex), check = tm_tag_check(mutex, tag.id, tag.created);
  __atomic_store_n(&place[1], tag.created | check >> 32 << 32, __ATOMIC_RELAXED);
  __atomic_store_n(&place[0], tag.id << 16 | (check >> 16 & 0xffff), __ATOMIC_RELAXED);
}
TM_INLINE void tm_tag_remove(const void *mutex) {
  uint64_t *place = tm_tag_place(mutex);
  __atomic_store_n(&place[0], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&place[1], 0, __ATOMIC_RELAXED);
}

/* A word that differs between mutexes which had the same place one after the other, as long as
 * those had tags; it never changes during a mutex's life. */
TM_INLINE uint64_t tm_tag_word(const void *mutex) {
  int kind = ((const pthread_mutex_t *)mutex)->__data.__kind;
  if (TM_UNLIKELY(kind & TM_MUTEX_ROBUST)) return 0;
  return __atomic_load_n(tm_tag_place(mutex), __ATOMIC_RELAXED);
}
#endif
