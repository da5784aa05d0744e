#ifdef __linux__
#include "ground/base.h"
#include "object/left.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/lock.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "object/owned.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

enum { LEFT = 64 };
static tm_left entries[LEFT];
static uint32_t oldest; /* the entry that the next one replaces if all places are taken */
static tm_spin lock;
atomic_uint tm_left_count;

static tm_left *entry_of(const void *object) {
  for (uint32_t i = 0; i < LEFT; i++)
    if (entries[i].object == object) return &entries[i];
  return NULL;
}

static tm_left *free_entry(void) {
  tm_left *free = entry_of(NULL);
  if (free) {
    atomic_fetch_add_explicit(&tm_left_count, 1, memory_order_relaxed);
    return free;
  }
  tm_count_one(TM_LEFT_LOCKS_DROPPED);
  return &entries[oldest++ % LEFT];
}

static void name_of(const tm_thread *t, char name[16]) {
  if (pthread_getname_np(t->who.handle, name, 16) != 0 || tm_text_is(name, t->who.first_name))
    name[0] = 0;
}

bool tm_left_note(tm_thread *t, const tm_hold *h) {
  bool known = h->flags != 0 || tm_sole_owner_of(h->object, h->kind) != t->ground.tid;
  if (known) return false;
  tm_left left = {
      .object = h->object, .kind = h->kind, .tid = t->ground.tid, .thread = t->who.number};
  name_of(t, left.name);
  for (int i = 0; i < TM_SITE; i++) left.site[i] = h->site[i];
  tm_spin_lock(&lock);
  tm_left *place = entry_of(h->object);
  known = place && place->thread == left.thread;
  if (!place) place = free_entry();
  if (!known) *place = left;
  tm_spin_unlock(&lock);
  return !known;
}

bool tm_left_find(const void *object, tm_left *found) {
  if (TM_LIKELY(atomic_load_explicit(&tm_left_count, memory_order_relaxed) == 0)) return false;
  tm_spin_lock(&lock);
  const tm_left *entry = entry_of(object);
  if (entry) *found = *entry;
  tm_spin_unlock(&lock);
  return entry != NULL;
}

/* Returns whether another thread has the number in the system by now. */
static bool is_reused(const tm_left *left) {
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (u->ground.tid == left->tid && tm_is_live(u) && u->who.number != left->thread) return true;
  return false;
}

bool tm_left_is_owned(const tm_left *left) {
  union {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
  } copy;
  size_t size = left->kind == TM_RWLOCK ? sizeof copy.rwlock : sizeof copy.mutex;
  return tm_peek(left->object, &copy, size) && tm_sole_owner_of(&copy, left->kind) == left->tid &&
         !is_reused(left);
}

void tm_left_told(const tm_left *left) {
  tm_spin_lock(&lock);
  tm_left *entry = entry_of(left->object);
  if (entry && entry->thread == left->thread) entry->told = true;
  tm_spin_unlock(&lock);
}

void tm_left_forget_seen(const void *object) {
  tm_spin_lock(&lock);
  tm_left *entry = entry_of(object);
  if (entry) {
    entry->object = NULL;
    atomic_fetch_sub_explicit(&tm_left_count, 1, memory_order_relaxed);
  }
  tm_spin_unlock(&lock);
}

TM_GATE_CODE_END
#endif
