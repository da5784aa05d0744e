#ifdef __linux__
#include "ground/base.h"
#include "tell/familiar.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/part.h"
#include "strand/scope.h"
#include "tell/class_orders.h"
#include "tell/view.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* A habit is told TOLD times before nestings of it are kept. A nesting of more than HELD locks is
 * always told. */
enum { TOLD = 64, HELD = 4, HABITS = 1024, KEPT = 1 << 16 };

/* What the nestings of one habit have in common about one lock. The wanted lock comes last. */
typedef struct part {
  uint32_t created;
  uint8_t kind, mode;
  uint16_t class; /* 0: not asked for yet */
  uintptr_t site[TM_SITE];
} part;

/* Nestings of the same code. */
typedef struct habit {
  uint64_t name; /* 0: an empty place */
  uint32_t held, told, kept;
  uint32_t epoch; /* of the orders of classes, at which the standing was asked for */
  tm_standing standing;
  bool shared; /* by several strands */
  uint64_t strand;
  uint32_t stack; /* of the first nesting, kept */
  uintptr_t submitted[TM_SITE];
  part parts[HELD + 1];
} habit;

typedef struct lock {
  const void *address;
  uint64_t id;
} lock;

/* One nesting, with the moment of its strand. */
typedef struct nesting {
  habit *habit; /* NULL: an empty place */
  tm_clock *clock;
  uint64_t strand;
  uint32_t thread, slot, time, scope;
  uint8_t quality;
  lock locks[HELD + 1];
} nesting;

/* The nesting that a thread is about to make. */
typedef struct making {
  uint64_t name;
  uint32_t held;
  part parts[HELD + 1];
  lock locks[HELD + 1];
} making;

static tm_spin spin; /* guards all below, and the orders of classes */
static habit *habits;
static uint32_t habit_count;
static nesting *kept; /* a ring */
static uint32_t next;

/* Adds a lock; returns false if there is no room for it, or if it is not known. */
static bool add(making *m, const void *address, tm_kind kind, uint8_t mode, const uintptr_t *site) {
  if (m->held == HELD + 1 || kind == TM_TASK_STATUS_LOCK) return false;
  part *p = &m->parts[m->held];
  *p = (part){.kind = (uint8_t)kind, .mode = mode};
  if (site) tm_site_copy(p->site, site);
  tm_object *o = tm_object_have(address, kind);
  if (!o) return false;
  p->created = o->created;
  m->locks[m->held++] = (lock){address, o->id};
  tm_object_release(address);
  m->name = tm_mix(m->name, (uint64_t)p->created << 16 | (uint64_t)kind << 8 | mode);
  for (int i = 0; i < TM_SITE; i++) m->name = tm_mix(m->name, p->site[i]);
  return true;
}

static bool collect(tm_thread *t, const tm_operation *op, making *m) {
  tm_link around[TM_AROUND];
  uint32_t count = tm_surroundings(t, around);
  for (uint32_t i = 0; i < count; i++)
    if (!add(m, around[i].queue, around[i].kind, (uint8_t)around[i].mode, NULL)) return false;
  for (uint32_t i = 0; i < t->holds.held_count; i++) {
    const tm_hold *h = &t->held.locks[i];
    if (!add(m, h->object, tm_kind_of(h->object, h->kind), h->mode, h->site)) return false;
  }
  tm_kind kind = tm_kind_of(op->object, op->kind);
  if (!add(m, op->object, kind, (uint8_t)op->mode, op->site)) return false;
  m->held--;
  m->name |= 1;
  return true;
}

static uint16_t class_of(const void *address, tm_kind kind) {
  tm_object *o = tm_object_have(address, kind);
  uint32_t created = o ? o->created : 0;
  if (o) tm_object_release(address);
  return tm_class_number(created, (uint8_t)kind);
}

/* Notes the orders of classes of a nesting that is told in any case. */
static void note_told(tm_thread *t, const tm_operation *op) {
  tm_link around[TM_AROUND];
  uint32_t count = tm_surroundings(t, around);
  uint16_t wanted = class_of(op->object, tm_kind_of(op->object, op->kind));
  for (uint32_t i = 0; i < count; i++)
    tm_class_order_note(class_of(around[i].queue, around[i].kind), wanted, t->strand.id);
  for (uint32_t i = 0; i < t->holds.held_count; i++) {
    const tm_hold *h = &t->held.locks[i];
    tm_class_order_note(class_of(h->object, tm_kind_of(h->object, h->kind)), wanted, t->strand.id);
  }
}

static tm_standing worse(tm_standing a, tm_standing b) { return a > b ? a : b; }

static void note_habit(habit *h, uint64_t strand) {
  h->shared |= h->strand != strand;
  for (uint32_t i = 0; i <= h->held; i++)
    if (!h->parts[i].class)
      h->parts[i].class = tm_class_number(h->parts[i].created, h->parts[i].kind);
  h->standing = TM_ORDER_FREE;
  for (uint32_t i = 0; i < h->held; i++) {
    tm_standing of = tm_class_order_note(h->parts[i].class, h->parts[h->held].class, strand);
    h->standing = worse(h->standing, of);
  }
  h->epoch = tm_class_orders_epoch;
}

static bool is_open(habit *h) {
  if (h->epoch != tm_class_orders_epoch) {
    h->standing = TM_ORDER_FREE;
    for (uint32_t i = 0; i < h->held; i++)
      h->standing =
          worse(h->standing, tm_class_order_standing(h->parts[i].class, h->parts[h->held].class));
    h->epoch = tm_class_orders_epoch;
  }
  return h->standing == TM_ORDER_OPEN;
}

/* Returns the place of the habit; an empty one if it is new. */
static habit *place_of(uint64_t name) {
  uint32_t place = name >> 53;
  while (habits[place].name && habits[place].name != name) place = (place + 1) % (2 * HABITS);
  return &habits[place];
}

/* Returns the habit, made if it is new; NULL if there is no room for it. */
static habit *habit_of(tm_thread *t, const tm_operation *op, const making *m) {
  if (!habits) habits = tm_map(2 * HABITS * sizeof *habits);
  if (!habits) return NULL;
  habit *h = place_of(m->name);
  if (h->name) return h;
  if (habit_count == HABITS) return NULL;
  habit_count++;
  uintptr_t stack[TM_STACK / 2];
  *h = (habit){.name = m->name, .held = m->held, .strand = t->strand.id};
  h->stack = tm_stack_keep(stack, tm_stack_take(t, op->frame, stack, TM_STACK / 2));
  tm_site_copy(h->submitted, t->strand.origin.submitted);
  tm_copy(h->parts, m->parts, sizeof h->parts);
  return h;
}

static bool is_there(const nesting *n) {
  for (uint32_t i = 0; i <= n->habit->held; i++)
    if (!tm_object_is(n->locks[i].address, n->locks[i].id)) return false;
  return true;
}

/* Gives the place of a nesting to a later one. Whether its locks are still there is asked for one
 * nesting of SAMPLE, which then counts for all of them. */
static void forget(nesting *n) {
  enum { SAMPLE = 16 };
  if (next % SAMPLE == 0 && is_there(n)) tm_count_many(TM_NESTINGS_FORGOTTEN, SAMPLE);
  n->habit->kept--;
  tm_clock_drop(n->clock);
}

static bool keep(tm_thread *t, habit *h, const making *m) {
  if (!kept) kept = tm_map(KEPT * sizeof *kept);
  if (!kept) return false;
  nesting *n = &kept[next++ % KEPT];
  if (n->habit) forget(n);
  *n = (nesting){.habit = h,
                 .clock = tm_clock_keep(t->strand.clock),
                 .strand = t->strand.id,
                 .thread = t->who.number,
                 .slot = t->strand.slot,
                 .time = t->strand.now,
                 .scope = tm_current_scope(),
                 .quality = t->strand.origin.quality};
  tm_copy(n->locks, m->locks, sizeof n->locks);
  h->kept++;
  return true;
}

bool tm_is_familiar(tm_thread *t, const tm_operation *op) {
  making m = {.name = 0};
  bool fits = collect(t, op, &m), familiar = false;
  tm_spin_lock(&spin);
  habit *h = fits ? habit_of(t, op, &m) : NULL;
  bool same = h && (h->shared || h->strand == t->strand.id);
  if (!h) note_told(t, op);
  else if (h->epoch != tm_class_orders_epoch || !same) note_habit(h, t->strand.id);
  if (h && h->told < TOLD) h->told++;
  else familiar = h && h->standing != TM_ORDER_OPEN && keep(t, h, &m);
  tm_spin_unlock(&spin);
  return familiar;
}

/* Takes the oldest kept nesting that has to be told out of the ring, from this place on. Returns
 * false if there is none. */
static bool take(uint32_t *from, nesting *n) {
  bool found = false;
  tm_spin_lock(&spin);
  for (; kept && *from < KEPT && !found; ++*from) {
    nesting *place = &kept[(next + *from) % KEPT];
    if (!place->habit || !is_open(place->habit)) continue;
    *n = *place;
    place->habit = NULL;
    n->habit->kept--;
    found = true;
  }
  tm_spin_unlock(&spin);
  return found;
}

static void describe(const nesting *n, uint32_t i, tm_object_view *view) {
  const part *p = &n->habit->parts[i];
  tm_object_note(n->locks[i].address, p->kind, p->mode, view);
  tm_site_copy(view->site, p->site);
}

static void tell(const nesting *n) {
  static tm_view_room room; /* guarded by the runtime's lock */
  tm_thread_view view = {.thread = n->thread,
                         .strand = n->strand,
                         .slot = n->slot,
                         .time = n->time,
                         .scope = n->scope,
                         .quality = n->quality,
                         .held = room.held,
                         .held_count = n->habit->held};
  if (!is_there(n)) return;
  tm_view_name(&view);
  tm_site_copy(view.submitted, n->habit->submitted);
  view.stack = tm_stack_kept(n->habit->stack, &view.stack_count);
  if (n->clock) {
    view.knowledge = n->clock->times;
    view.knowledge_count = n->clock->count;
  }
  for (uint32_t i = 0; i < view.held_count; i++) describe(n, i, &room.held[i]);
  describe(n, view.held_count, &view.wanted);
  tm_tell_nested(&view, &room);
}

static bool must_tell(void) {
  bool must = false;
  tm_spin_lock(&spin);
  for (uint32_t i = 0; habits && i < 2 * HABITS && !must; i++)
    must = habits[i].kept && is_open(&habits[i]);
  tm_spin_unlock(&spin);
  return must;
}

void tm_familiar_tell(void) {
  static uint32_t asked; /* guarded by the runtime's lock, like `room` above */
  uint32_t epoch = __atomic_load_n(&tm_class_orders_epoch, __ATOMIC_RELAXED), from = 0;
  if (asked == epoch) return;
  asked = epoch;
  nesting n;
  if (!must_tell()) return;
  while (take(&from, &n)) {
    tell(&n);
    tm_clock_drop(n.clock);
  }
}

TM_GATE_CODE_END
#endif
