#ifdef __linux__
#include "ground/base.h"
#include "object/object.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "object/group.h"
#include "object/number.h"
#include "object/semaphore.h"
#include "strand/clock.h"
#include "strand/delivery.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The table of instances: a hash table by address, in shards. All floors above find an object's
 * record here. `tm_object_find` and `tm_object_have` lock the shard, `tm_object_release` unlocks
 * it. */

enum { SHARDS = 64, FIRST_CAPACITY = 64 };

/* Each shard has its own cache line, so that threads which lock neighbouring shards do not
 * contend. */
typedef struct shard {
  _Alignas(64) tm_spin lock;
  uint32_t capacity, count;
  tm_object *places;
} shard;
static shard shards[SHARDS];

/* Written with the shard locked; a place belongs to one shard. */
enum { HASH_BITS = 64, SHARD_BITS = 6 };
_Atomic uint16_t tm_objects_entered[TM_OBJECT_PLACES];

static uint64_t hash_of(const void *address) { return (uintptr_t)address * 0x9E3779B97F4A7C15u; }
static shard *shard_of(const void *address) {
  return &shards[hash_of(address) >> (HASH_BITS - SHARD_BITS)];
}

static void count(const void *address, int entries) {
  _Atomic uint16_t *place = tm_object_entered(address);
  int now = atomic_load_explicit(place, memory_order_relaxed) + entries;
  atomic_store_explicit(place, (uint16_t)now, memory_order_relaxed);
}

static tm_object *place_of(const shard *s, const void *address) {
  uint32_t mask = s->capacity - 1;
  uint32_t i = (hash_of(address) >> 20) & mask;
  while (s->places[i].address && s->places[i].address != address) i = (i + 1) & mask;
  return &s->places[i];
}

static bool resize(shard *s, uint32_t capacity) {
  tm_object *old = s->places;
  uint32_t old_capacity = s->capacity;
  tm_object *places = tm_map_whole(capacity * sizeof(tm_object));
  if (!places) return false;
  s->places = places;
  s->capacity = capacity;
  for (uint32_t i = 0; i < old_capacity; i++)
    if (old[i].address) *place_of(s, old[i].address) = old[i];
  if (old) tm_unmap(old, old_capacity * sizeof(tm_object));
  return true;
}

/* Removes an entry. The table probes linearly and has no tombstones: later entries of the unbroken
 * row move back into the gap if their probing passes it. */
static void erase(shard *s, tm_object *gone) {
  count(gone->address, -1);
  uint32_t mask = s->capacity - 1, hole = (uint32_t)(gone - s->places);
  for (uint32_t i = (hole + 1) & mask; s->places[i].address; i = (i + 1) & mask) {
    uint32_t home = (hash_of(s->places[i].address) >> 20) & mask;
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      s->places[hole] = s->places[i];
      hole = i;
    }
  }
  tm_clear(&s->places[hole], sizeof(tm_object));
  s->count--;
  if (s->capacity > FIRST_CAPACITY && s->count < s->capacity / 8) resize(s, s->capacity / 4);
}

tm_object *tm_object_find(const void *address) {
  if (!tm_object_may_be_entered(address)) return NULL;
  shard *s = shard_of(address);
  tm_spin_lock(&s->lock);
  if (s->capacity) {
    tm_object *o = place_of(s, address);
    if (o->address) return o;
  }
  tm_spin_unlock(&s->lock);
  return NULL;
}

static tm_object *add(shard *s, const void *address, tm_kind kind) {
  if (s->count * 4 >= s->capacity * 3 && !resize(s, s->capacity ? s->capacity * 2 : FIRST_CAPACITY))
    return NULL;
  tm_object *o = place_of(s, address);
  tm_clear(o, sizeof *o);
  o->address = address;
  o->kind = kind;
  s->count++;
  count(address, 1);
  return o;
}

/* The record of an object's past, by which happens-before passes through the object. The object's
 * kind decides which member of the union in `tm_object` it is. */
typedef enum past { A_CLOCK, A_HISTORY, A_GROUP, A_SIGNAL, AN_ITEM } past;

static past past_of(tm_kind kind) {
  switch ((int)kind) {
  case TM_SERIAL_QUEUE:
  case TM_CONCURRENT_QUEUE:
  case TM_SOURCE: return A_HISTORY;
  case TM_GROUP: return A_GROUP;
  case TM_SEMAPHORE: return A_SIGNAL;
  case TM_WORK_ITEM:
  case TM_ITEM_KIND: return AN_ITEM;
  default: return A_CLOCK;
  }
}

static void forget_history(tm_history *history) {
  if (!history) return;
  for (int i = 0; i < TM_HISTORY; i++) tm_clock_drop(history->blocks[i].end);
  tm_pool_give(history, sizeof(tm_history));
}

static void forget_past(tm_object *o) {
  switch (past_of(o->kind)) {
  case A_CLOCK: tm_clock_drop(o->clock); break;
  case A_HISTORY: forget_history(o->history); break;
  case A_GROUP: tm_group_drop(o->group); break;
  case A_SIGNAL:
    if (!o->signal) break;
    tm_clock_drop(o->signal->clock);
    tm_pool_give(o->signal, sizeof(tm_semaphore));
    break;
  case AN_ITEM: break; /* dropped with the item's block, see run_item.c */
  }
  o->clock = NULL;
}

/* Makes the entry that of a new object at its address. Called if the earlier object was destroyed
 * by a call that the gate did not see. */
static void replace_dead(tm_object *o, tm_kind kind) {
  forget_past(o);
  const void *address = o->address;
  tm_clear(o, sizeof *o);
  o->address = address;
  o->kind = kind;
  atomic_fetch_add_explicit(tm_generation(address), 2, memory_order_relaxed);
}

/* `known`: of an object that has an identity already; NULL if it has none. */
static tm_object *have(const void *address, tm_kind kind, const tm_identity *known) {
  shard *s = shard_of(address);
  tm_spin_lock(&s->lock);
  tm_object *o = s->capacity ? place_of(s, address) : NULL;
  if (!o || !o->address) o = add(s, address, kind);
  else if (TM_UNLIKELY(past_of(o->kind) != past_of(kind) || (known && o->id != known->id)))
    replace_dead(o, kind);
  if (!o) tm_spin_unlock(&s->lock);
  else if (o->id == 0) {
    o->id = known ? known->id : tm_object_new_id();
    o->created = known ? known->created : 0;
  }
  return o;
}

tm_object *tm_object_have(const void *address, tm_kind kind) {
  tm_tag tag;
  if (!tm_is_mutex(kind) || !tm_tag_read(address, &tag)) return have(address, kind, NULL);
  return have(address, kind, &(tm_identity){tag.id, tag.created});
}

void tm_object_release(const void *address) { tm_spin_unlock(&shard_of(address)->lock); }
bool tm_object_is(const void *address, uint64_t id) {
  tm_tag tag;
  tm_object *o = tm_object_find(address);
  if (!o) return tm_tag_peek(address, &tag) && tag.id == id;
  bool same = o->id == id;
  tm_object_release(address);
  return same;
}

bool tm_object_kind(const void *address, tm_kind *kind) {
  tm_tag tag;
  tm_object *o = tm_object_find(address);
  *kind = o ? (tm_kind)o->kind : TM_MUTEX;
  if (!o) return tm_tag_peek(address, &tag);
  tm_object_release(address);
  return true;
}

tm_identity tm_object_identity_in_table(const void *address, tm_kind kind) {
  tm_object *o = have(address, kind, NULL);
  if (!o) return (tm_identity){0, 0};
  tm_identity found = {o->id, o->created};
  tm_object_release(address);
  return found;
}

uint32_t tm_object_created(const void *address) {
  tm_tag tag;
  tm_object *o = tm_object_find(address);
  if (!o) return tm_tag_peek(address, &tag) ? tag.created : 0;
  uint32_t created = o->created;
  tm_object_release(address);
  return created;
}

bool tm_object_is_marked(const void *address, unsigned flags) {
  tm_object *o = tm_object_find(address);
  if (!o) return false;
  bool marked = o->flags & flags;
  tm_object_release(address);
  return marked;
}

void tm_object_mark(const void *address, unsigned flags) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  o->flags |= flags;
  tm_object_release(address);
}

void tm_object_remove(tm_object *o) {
  const void *address = o->address;
  forget_past(o);
  erase(shard_of(address), o);
  tm_object_release(address);
}

void tm_object_forget(const void *address) {
  tm_object *o = tm_object_find(address);
  if (o) tm_object_remove(o);
}

static void note(tm_object *o, const void *address, tm_kind kind, tm_mode mode,
                 tm_object_view *view) {
  tm_clear(view, sizeof *view);
  view->address = (uintptr_t)address;
  view->kind = kind;
  view->mode = mode;
  view->main_queue = address == tm_main_queue;
  if (!o) return;
  view->id = o->id;
  view->created = tm_stack_kept(o->created, &view->created_count);
  bool named = kind == TM_SERIAL_QUEUE || kind == TM_CONCURRENT_QUEUE || kind == TM_CONFINED;
  if (named && o->value) view->label = tm_text_kept((uint32_t)o->value);
  tm_object_release(address);
  if (address == tm_main_queue) view->label = "main";
}

void tm_object_note(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view) {
  note(tm_object_have(address, kind), address, kind, mode, view);
}

void tm_object_note_as(const void *address, tm_kind kind, tm_mode mode, const tm_identity *known,
                       tm_object_view *view) {
  note(have(address, kind, known), address, kind, mode, view);
}

void tm_object_declare(tm_object_view *view) {
  const void *address = (const void *)view->address;
  tm_object *o = view->id ? tm_object_find(address) : NULL;
  if (!o) return;
  view->fresh = o->id == view->id && !(o->flags & TM_OBJECT_DECLARED);
  if (view->fresh) o->flags |= TM_OBJECT_DECLARED;
  tm_object_release(address);
}

void tm_object_describe(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view) {
  tm_object_note(address, kind, mode, view);
  tm_object_declare(view);
}

/* Returns the field that holds the object's clock (makes a semaphore's record if there is none).
 * NULL if stamps are not left in this object: queues, groups and items keep them their own way. */
static tm_clock **clock_of(tm_object *o) {
  switch (past_of(o->kind)) {
  case A_CLOCK: return &o->clock;
  case A_SIGNAL: return o->signal || tm_semaphore_record(o) ? &o->signal->clock : NULL;
  default: return NULL;
  }
}

void tm_object_leave_stamp(tm_thread *t, const void *address, tm_kind kind) {
  tm_stamp stamp = tm_stamp_take(t);
  tm_object *o = tm_object_have(address, kind);
  if (o) {
    tm_clock **clock = clock_of(o);
    if (clock) *clock = tm_clock_learn(*clock, stamp);
    tm_object_release(address);
  }
  tm_stamp_drop(&stamp);
}

void tm_object_leave_knowledge(tm_thread *t, const void *address, tm_kind kind) {
  tm_object *o = tm_object_have(address, kind);
  if (!o) return;
  tm_clock **clock = clock_of(o);
  if (clock)
    *clock = tm_clock_learn(*clock, (tm_stamp){tm_strand_clock(t), t->strand.slot, t->strand.now});
  tm_object_release(address);
}

void tm_object_take_stamp(tm_thread *t, const void *address) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  tm_clock **place = clock_of(o);
  tm_clock *clock = place ? tm_clock_keep(*place) : NULL;
  tm_object_release(address);
  if (!clock) return;
  tm_learn(t, (tm_stamp){clock, 0, 0});
  tm_clock_drop(clock);
}

TM_GATE_CODE_END
#endif
