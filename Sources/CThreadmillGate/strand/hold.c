#ifdef __linux__
#include "ground/base.h"
#include "strand/hold.h"
#include "code/stack.h"
#include "ground/kernel.h"
#include "ground/mutex_word.h"
#include "ground/thread.h"
#include "strand/attention.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

_Atomic uint32_t tm_generations[TM_GENERATIONS];

/* Moves each hold above `to` down by one; `last` is the last one. */
static void copy_down(tm_hold *to, const tm_hold *last) {
  uintptr_t *words = (uintptr_t *)to;
  size_t count = (size_t)(last - to) * sizeof(tm_hold) / sizeof *words;
  for (size_t i = 0; i < count; i++) TM_SHARE(words[i], words[i + sizeof(tm_hold) / sizeof *words]);
}

void tm_hold_remove_inner(tm_thread *t, tm_hold *gone) {
  uint32_t index = (uint32_t)(gone - t->held.locks);
  uint32_t count = t->holds.held_count - 1;
  copy_down(gone, &t->held.locks[count]);
  TM_SHARE(t->holds.held_count, index);
  for (uint32_t i = index; i < count; i++) {
    tm_hold *h = &t->held.locks[i];
    h->context = tm_context(t, h->object, h->kind, h->mode);
    TM_SHARE(t->holds.held_count, i + 1);
  }
}

void tm_hold_main_queue(tm_thread *t) {
  tm_hold *h = &t->held.locks[0];
  unsigned after = tm_change_begins(t);
  TM_SHARE(h->object, tm_main_queue);
  for (int i = 0; i < TM_SITE; i++) TM_SHARE(h->site[i], 0);
  TM_SHARE(h->kind, TM_SERIAL_QUEUE);
  TM_SHARE(h->mode, 0);
  TM_SHARE(h->flags, TM_HOLD_BASE);
  h->context = tm_mix(0, (uintptr_t)tm_main_queue);
  h->again = 0;
  TM_SHARE(h->mark, 0);
  TM_SHARE(t->holds.held_count, 1);
  tm_change_ends(t, after);
}

void tm_inlined_wait_begins(tm_thread *t, const uint32_t *word, void *frame) {
  t->holds.inlined.word = word;
  tm_site_take_near(t, frame, t->holds.inlined.site);
  __atomic_fetch_or(&t->ground.attention, TM_ATTENDS_INLINED_LOCK, __ATOMIC_RELAXED);
}

/* The `Mutex` is gone by now if the code that unlocked it did not come to the gate. */
void tm_hold_inlined(tm_thread *t) {
  const uint32_t *object = t->holds.inlined.word;
  uint32_t word = 0;
  if (!tm_peek(object, &word, sizeof word) || tm_word_owner(word) != (uint32_t)t->ground.tid ||
      tm_hold_find(t, object))
    return;
  tm_operation op = {.object = object, .kind = TM_SWIFT_MUTEX, .mode = TM_EXCLUSIVE};
  tm_site_copy(op.site, t->holds.inlined.site);
  tm_hold_push(t, &op, 0);
}

TM_GATE_CODE_END
#endif
