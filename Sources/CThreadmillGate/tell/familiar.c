#ifdef __linux__
#include "ground/base.h"
#include "tell/familiar.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "tell/class_orders.h"
#include "tell/kept.h"
#include "tell/usual.h"
#include "tell/view.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* A habit is told TOLD times before nestings of it are kept. A nesting of more locks than fit is
 * always told. */
enum { TOLD = 64, HABITS = TM_KEPT_HABITS / 2, LOCKS = TM_KEPT_LOCKS };

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
  uint32_t held, told;
  uint32_t lasting; /* how many of the first locks never end, and are not kept with a nesting */
  uint32_t epoch; /* of the orders of classes, at which the standing was asked for */
  tm_standing standing;
  bool shared; /* by several strands */
  uint64_t strand;
  uint32_t stack; /* of the first nesting, kept */
  uintptr_t submitted[TM_SITE];
  part parts[LOCKS];
} habit;

/* One lock of a nesting that a thread is about to make. */
typedef struct member {
  const uintptr_t *site; /* NULL: unknown */
  tm_kind kind;
  uint32_t created;
  uint8_t mode;
} member;

typedef struct making {
  uint64_t name;
  uint32_t count, lasting;
  member members[LOCKS];
  tm_kept_lock locks[LOCKS];
} making;

static tm_spin spin; /* guards all below, the kept nestings and the orders of classes */
static habit *habits;
static uint32_t habit_count;

/* One number for the place of a lock. The factors are odd and have nothing else in common, so that
 * the products need not wait for each other. */
static uint64_t name_of_site(const uintptr_t site[TM_SITE]) {
  _Static_assert(TM_SITE == 4, "one factor for each address");
  return site[0] * 0xA0761D6478BD642Fu + site[1] * 0xE7037ED1A0B428DBu +
         site[2] * 0x8EBC6AF09C88C6E3u + site[3] * 0x589965CC75374CC3u;
}

/* Adds a lock; returns false if there is no room for it, or if it is not known. */
static bool add_lock(making *m, const void *address, tm_kind kind, uint8_t mode,
                     const uintptr_t *site) {
  if (m->count == LOCKS || kind == TM_TASK_STATUS_LOCK) return false;
  tm_identity identity = tm_object_identity(address, kind);
  if (identity.id == 0) return false;
  m->members[m->count] = (member){site, kind, identity.created, mode};
  m->locks[m->count++] = (tm_kept_lock){address, identity.id};
  uint64_t class = (uint64_t)identity.created << 16 | (uint64_t)kind << 8 | mode;
  m->name = tm_mix(m->name, class ^ (site ? name_of_site(site) : 0));
  return true;
}

/* Adds the main queue as the first of all locks. */
static void add_main_queue(making *m) {
  m->members[0] = (member){NULL, TM_SERIAL_QUEUE, 0, TM_EXCLUSIVE};
  m->name = TM_SERIAL_QUEUE;
  m->count = m->lasting = 1;
}

static bool collect(tm_thread *t, const tm_operation *op, const void *task, making *m) {
  tm_link around[TM_AROUND];
  uint32_t count = tm_surroundings(t, task, around);
  m->name = m->count = m->lasting = 0;
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 && around[i].queue == tm_main_queue) add_main_queue(m);
    else if (!add_lock(m, around[i].queue, around[i].kind, (uint8_t)around[i].mode, NULL))
      return false;
  for (uint32_t i = 0; i < t->holds.held_count; i++) {
    const tm_hold *h = &t->held.locks[i];
    if (!add_lock(m, h->object, tm_kind_of(h->object, h->kind), h->mode, h->site)) return false;
  }
  tm_kind kind = tm_kind_of(op->object, op->kind);
  if (!add_lock(m, op->object, kind, (uint8_t)op->mode, op->site)) return false;
  m->name |= 1;
  return true;
}

static uint16_t class_of(const void *address, tm_kind kind) {
  return tm_class_number(tm_object_identity(address, kind).created, (uint8_t)kind);
}

/* Notes the orders of classes of a nesting that is told in any case. */
static void note_told(tm_thread *t, const tm_operation *op, const void *task) {
  tm_link around[TM_AROUND];
  uint32_t count = tm_surroundings(t, task, around);
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

static bool is_open(uint32_t number) {
  habit *h = &habits[number];
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
static habit *habit_place(uint64_t name) {
  uint32_t place = name >> 53;
  while (habits[place].name && habits[place].name != name) place = (place + 1) % TM_KEPT_HABITS;
  return &habits[place];
}

static habit *make_habit(tm_thread *t, const tm_operation *op, const making *m, habit *h) {
  uintptr_t stack[TM_STACK / 2];
  *h = (habit){.name = m->name,
               .held = m->count - 1,
               .lasting = m->lasting,
               .strand = t->strand.id};
  h->stack = tm_stack_keep(stack, tm_stack_take(t, op->frame, stack, TM_STACK / 2));
  tm_site_copy(h->submitted, t->strand.origin.submitted);
  for (uint32_t i = 0; i < m->count; i++) {
    const member *from = &m->members[i];
    h->parts[i] = (part){.created = from->created, .kind = (uint8_t)from->kind, .mode = from->mode};
    if (from->site) tm_site_copy(h->parts[i].site, from->site);
  }
  return h;
}

/* Returns the habit, made if it is new; NULL if there is no room for it. */
static habit *habit_of(tm_thread *t, const tm_operation *op, const making *m) {
  if (TM_UNLIKELY(!habits)) habits = tm_map(TM_KEPT_HABITS * sizeof *habits);
  if (!habits) return NULL;
  habit *h = habit_place(m->name);
  if (TM_LIKELY(h->name)) return h;
  if (habit_count == HABITS) return NULL;
  habit_count++;
  return make_habit(t, op, m, h);
}

/* Keeps the nesting if its habit was told often enough and need not be told now. */
static bool keep(tm_thread *t, const tm_operation *op, const void *task, const making *m,
                 const habit *h) {
  uint32_t number = (uint32_t)(h - habits), count = m->count - m->lasting;
  if (h->standing == TM_ORDER_OPEN || !tm_keep(t, task, number, m->locks + m->lasting, count))
    return false;
  if (!task && count == 2) tm_usual_note(t, op->object, op->site, number, h->epoch);
  return true;
}

bool tm_is_familiar(tm_thread *t, const tm_operation *op, const void *task) {
  making m;
  bool fits = collect(t, op, task, &m), familiar = false;
  tm_spin_lock(&spin);
  habit *h = fits ? habit_of(t, op, &m) : NULL;
  bool same = h && (h->shared || h->strand == t->strand.id);
  if (!h) note_told(t, op, task);
  else if (h->epoch != tm_class_orders_epoch || !same) note_habit(h, t->strand.id);
  if (h && h->told < TOLD) h->told++;
  else familiar = h && keep(t, op, task, &m, h);
  tm_spin_unlock(&spin);
  return familiar;
}

bool tm_familiar_again(tm_thread *t, uint32_t habit, uint32_t orders_epoch,
                       const tm_kept_lock locks[2]) {
  tm_spin_lock(&spin);
  bool kept = orders_epoch == tm_class_orders_epoch &&
              (tm_keep_alike(t, habit, locks) || tm_keep(t, NULL, habit, locks, 2));
  tm_spin_unlock(&spin);
  return kept;
}

static void describe(const tm_kept *n, uint32_t i, tm_object_view *view) {
  const habit *h = &habits[n->habit];
  const part *p = &h->parts[i];
  if (i < h->lasting) return tm_object_note(tm_main_queue, p->kind, p->mode, view);
  const tm_kept_lock *lock = &n->locks[i - h->lasting];
  tm_identity known = {lock->id, p->created};
  tm_object_note_as(lock->address, p->kind, p->mode, &known, view);
  tm_site_copy(view->site, p->site);
}

static void tell_kept(const tm_kept *n) {
  static tm_view_room room; /* guarded by the runtime's lock */
  const habit *h = &habits[n->habit];
  tm_thread_view view = {.thread = n->thread,
                         .strand = n->strand,
                         .slot = n->slot,
                         .time = n->time,
                         .scope = n->scope,
                         .quality = n->quality,
                         .held = room.held,
                         .held_count = h->held};
  if (!tm_kept_is_there(n->locks, n->count)) return;
  tm_view_name(&view);
  tm_site_copy(view.submitted, h->submitted);
  view.stack = tm_stack_kept(h->stack, &view.stack_count);
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
  for (uint32_t i = 0; habits && i < TM_KEPT_HABITS && !must; i++)
    must = tm_kept_of(i) && is_open(i);
  tm_spin_unlock(&spin);
  return must;
}

/* Takes the oldest kept nesting that has to be told, from this place on. */
static bool take_open(uint32_t *from, tm_kept *n) {
  tm_spin_lock(&spin);
  bool found = tm_kept_take(from, is_open, n);
  tm_spin_unlock(&spin);
  return found;
}

void tm_familiar_tell(void) {
  static uint32_t asked; /* guarded by the runtime's lock, like `room` above */
  uint32_t epoch = __atomic_load_n(&tm_class_orders_epoch, __ATOMIC_RELAXED), from = 0;
  if (asked == epoch) return;
  asked = epoch;
  tm_kept n;
  if (!must_tell()) return;
  while (take_open(&from, &n)) {
    tell_kept(&n);
    tm_clock_drop(n.clock);
  }
}

TM_GATE_CODE_END
#endif
