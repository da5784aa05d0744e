#ifdef __linux__
#include "ground/base.h"
#include "observe/profile.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/mutex_word.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/blocked.h"
#include "observe/trace.h"
#include "strand/operation.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* A class stands for all locks that one call stack made, or for one lock whose creation was not
 * seen. Places are never given back, so readers need no lock: the name is written last. */
enum { CLASS_PLACES = 2048, CLASSES = 1536, TICKS = 12 };

/* A wait that is so long counts as contended, even if the lock looked free before. It is longer
 * than the first use of a free lock takes: binding of symbols, new pages, a sanitizer's records. */
static const uint64_t A_WHILE = 200000;

typedef struct durations {
  atomic_ullong total, longest, buckets[TM_DURATION_BUCKETS];
} durations;

typedef struct lock_class {
  atomic_ullong name; /* 0: free place */
  uint32_t place;     /* kept stack of the creation, or of the first use */
  uint32_t label;
  tm_kind kind;
  tm_mode mode;
  bool is_first_use;
  atomic_ullong acquisitions, contended;
  durations wait, hold;
  tm_spin longest_lock;
  uint32_t longest_holder;
} lock_class;

static lock_class *_Atomic classes;
static tm_spin adding_class;
static uint32_t class_count;

static lock_class *class_at(uint64_t mark) {
  return &atomic_load_explicit(&classes, memory_order_relaxed)[(mark & (CLASS_PLACES - 1))];
}

/* Four buckets for each power of two: a bucket is at most a quarter as wide as the number it begins
 * with. */
static uint32_t bucket_of(uint64_t nanoseconds) {
  if (nanoseconds < 4) return (uint32_t)nanoseconds;
  uint32_t power = 63 - (uint32_t)__builtin_clzll(nanoseconds);
  uint32_t bucket = (power - 1) * 4 + ((nanoseconds >> (power - 2)) & 3);
  return bucket < TM_DURATION_BUCKETS ? bucket : TM_DURATION_BUCKETS - 1;
}

static void add(atomic_ullong *count, uint64_t value) {
  atomic_fetch_add_explicit(count, value, memory_order_relaxed);
}

/* Adds a duration. Returns whether it is the longest so far. */
static bool note_duration(durations *d, uint64_t nanoseconds) {
  add(&d->total, nanoseconds);
  add(&d->buckets[bucket_of(nanoseconds)], 1);
  unsigned long long longest = atomic_load_explicit(&d->longest, memory_order_relaxed);
  while (longest < nanoseconds)
    if (atomic_compare_exchange_weak(&d->longest, &longest, nanoseconds)) return true;
  return false;
}

TM_SLOW static uint32_t keep_stack(const tm_thread *t, void *frame) {
  uintptr_t stack[TM_STACK / 2];
  return tm_stack_keep(stack, tm_stack_take(t, frame, stack, TM_STACK / 2));
}

/* The class of an operation. */

typedef struct origin {
  uint32_t created, label;
} origin;

static origin origin_of(const tm_operation *op) {
  origin found = {0, 0};
  bool queue = op->kind == TM_SERIAL_QUEUE || op->kind == TM_CONCURRENT_QUEUE;
  if (op->object == tm_main_queue && queue) return (origin){0, tm_text_keep("main")};
  tm_tag tag;
  if (op->kind == TM_MUTEX && tm_tag_read(op->object, &tag)) return (origin){tag.created, 0};
  tm_object *o = tm_object_find(op->object);
  if (!o) return found;
  found = (origin){o->created, queue ? (uint32_t)o->value : 0};
  tm_object_release(op->object);
  return found;
}

static tm_kind kind_of(const tm_operation *op) {
  bool recursive = op->kind == TM_MUTEX && tm_mutex_type(op->object) == PTHREAD_MUTEX_RECURSIVE_NP;
  return recursive ? TM_RECURSIVE_MUTEX : op->kind;
}

static uint32_t class_place(const lock_class *table, uint64_t name) {
  uint32_t i = tm_mix(0, name) >> 53;
  uint64_t found;
  while ((found = atomic_load_explicit(&table[i].name, memory_order_acquire)) && found != name)
    i = (i + 1) % CLASS_PLACES;
  return i;
}

/* Called with `adding_class` held. */
static bool make(lock_class *table, uint64_t name, const lock_class *made) {
  lock_class *c = &table[class_place(table, name)];
  if (atomic_load_explicit(&c->name, memory_order_relaxed)) return true;
  if (class_count == CLASSES) return false;
  class_count++;
  c->place = made->place;
  c->label = made->label;
  c->kind = made->kind;
  c->mode = made->mode;
  c->is_first_use = made->is_first_use;
  atomic_store_explicit(&c->name, name, memory_order_release);
  return true;
}

TM_SLOW static bool add_class(const tm_thread *t, const tm_operation *op, origin from, tm_kind kind,
                              uint64_t name) {
  uint32_t place = from.created ? from.created : keep_stack(t, op->frame);
  const lock_class made = {.place = place,
                           .label = from.label,
                           .kind = kind,
                           .mode = op->mode,
                           .is_first_use = !from.created};
  tm_spin_lock(&adding_class);
  lock_class *table = atomic_load_explicit(&classes, memory_order_relaxed);
  if (!table) atomic_store(&classes, table = tm_map(CLASS_PLACES * sizeof(lock_class)));
  bool done = table && make(table, name, &made);
  tm_spin_unlock(&adding_class);
  return done;
}

/* Returns the class of the operation's object, or NULL if there is no room for a new one. */
static lock_class *class_of(const tm_thread *t, const tm_operation *op) {
  origin from = origin_of(op);
  tm_kind kind = kind_of(op);
  uint64_t which = from.created ? from.created : (uintptr_t)op->object;
  uint64_t name = which << 8 | (uint64_t)kind << 2 | (uint64_t)op->mode << 1 | !from.created;
  lock_class *table = atomic_load_explicit(&classes, memory_order_acquire);
  if (table) {
    lock_class *c = &table[class_place(table, name)];
    if (atomic_load_explicit(&c->name, memory_order_relaxed)) return c;
  }
  bool added = add_class(t, op, from, kind, name);
  if (!added) tm_count_one(TM_ACQUISITIONS_UNPROFILED);
  table = atomic_load_explicit(&classes, memory_order_acquire);
  return added ? &table[class_place(table, name)] : NULL;
}

static bool is_semaphore_taken(const void *semaphore) {
  int64_t value, initial;
  if (tm_class_of(semaphore) != TM_CLASS_SEMAPHORE)
    return *(const volatile unsigned *)semaphore == 0;
  return tm_semaphore_values(semaphore, &value, &initial) && value <= 0;
}

/* Returns whether the operation has to wait, as far as can be seen. Of a spin lock, glibc's free
 * value depends on the machine; of a read-write lock, bit 1 is a writer, and readers are counted
 * from bit 3 on; a sem_t begins with its value. */
static bool looks_taken(const tm_thread *t, const tm_operation *op) {
  switch (op->kind) {
  case TM_MUTEX: return ((const pthread_mutex_t *)op->object)->__data.__lock != 0;
  case TM_RWLOCK: {
    unsigned readers = ((const pthread_rwlock_t *)op->object)->__data.__readers;
    return readers & 2 || (op->mode == TM_EXCLUSIVE && readers >> 3);
  }
#if defined(__x86_64__)
  case TM_SPIN: return *(const volatile int *)op->object != 1;
#else
  case TM_SPIN: return *(const volatile int *)op->object != 0;
#endif
  case TM_SEMAPHORE: return is_semaphore_taken(op->object);
  case TM_SWIFT_MUTEX: return tm_word_is_taken(op->object);
  case TM_SERIAL_QUEUE:
  case TM_CONCURRENT_QUEUE: return tm_held_by_other((tm_thread *)t, op->object, op->mode);
  default: return false;
  }
}

/* Waits and holds. A mark is the time at which a hold began, above the class's place; it wraps
 * after 52 days of one hold. */

static uint32_t number_of(const lock_class *c) {
  return (uint32_t)(c - atomic_load_explicit(&classes, memory_order_relaxed));
}

static uint64_t class_mark(const lock_class *c, uint64_t now) {
  return now << TICKS | number_of(c) | CLASS_PLACES;
}

void tm_profile_waits(tm_thread *t, const tm_operation *op, tm_profiled *p) {
  p->lock_class = class_of(t, op);
  p->contended = looks_taken(t, op);
  p->moment = tm_now();
  if (p->lock_class)
    t->observe.wait_began = p->moment, t->observe.wait_class = number_of(p->lock_class);
}

static void count(const tm_thread *t, lock_class *c, uint64_t began, uint64_t waited,
                  bool contended) {
  if (tm_is_traced(t) && (contended || waited >= A_WHILE))
    tm_trace_lock(t, TM_TRACED_WAIT, number_of(c), began, began + waited);
  add(&c->acquisitions, 1);
  if (contended || waited >= A_WHILE) add(&c->contended, 1);
  note_duration(&c->wait, waited);
}

uint64_t tm_profile_took(tm_thread *t, tm_profiled *p) {
  if (!p->lock_class) return 0;
  uint64_t now = tm_now();
  count(t, p->lock_class, p->moment, now - p->moment, p->contended);
  return class_mark(p->lock_class, now);
}

/* Keeps the stack of the longest holder, unless another thread has held the lock even longer
 * meanwhile. */
TM_SLOW static void note_holder(tm_thread *t, lock_class *c, uint64_t held, void *frame) {
  uint32_t kept = keep_stack(t, frame);
  tm_spin_lock(&c->longest_lock);
  if (atomic_load(&c->hold.longest) == held) c->longest_holder = kept;
  tm_spin_unlock(&c->longest_lock);
}

static void held_for(tm_thread *t, lock_class *c, uint64_t nanoseconds, uint64_t end, void *frame) {
  if (tm_is_traced(t)) tm_trace_lock(t, TM_TRACED_HOLD, number_of(c), end - nanoseconds, end);
  if (note_duration(&c->hold, nanoseconds)) note_holder(t, c, nanoseconds, frame);
}

static uint64_t held_until(uint64_t mark, uint64_t now) {
  return (now - (mark >> TICKS)) & (UINT64_MAX >> TICKS);
}

void tm_profile_left(tm_thread *t, uint64_t mark, void *frame) {
  if (!mark) return;
  uint64_t now = tm_now();
  held_for(t, class_at(mark), held_until(mark, now), now, frame);
}

void tm_profile_freed(tm_thread *t, uint64_t mark, uint64_t moment, void *frame) {
  held_for(t, class_at(mark), held_until(mark, moment), moment, frame);
}

void tm_profile_acquired(tm_thread *t, const tm_profiled *p, uint64_t now) {
  tm_profile_mark(t, p->lock_class ? class_mark(p->lock_class, now) : 0);
  if (p->lock_class) count(t, p->lock_class, p->moment, now - p->moment, p->contended);
}

uint64_t tm_profile_since(uint64_t mark, uint64_t now, uint32_t *lock_class) {
  *lock_class = mark & (CLASS_PLACES - 1);
  return now - held_until(mark, now);
}

uint64_t tm_profile_again(uint64_t mark) { return mark ? class_mark(class_at(mark), tm_now()) : 0; }

void tm_profile_work(void *profiled) {
  tm_profiled_work *p = profiled;
  p->began = tm_now();
  p->work(p->context);
  p->ended = tm_now();
}

void tm_profile_worked(tm_thread *t, tm_profiled_work *p, void *frame) {
  if (!p->wait.lock_class || !p->ended) return;
  count(t, p->wait.lock_class, p->wait.moment, p->began - p->wait.moment, p->wait.contended);
  held_for(t, p->wait.lock_class, p->ended - p->began, p->ended, frame);
}

/* For the report. */

static void show_durations(const durations *d, tm_durations *shown) {
  shown->total = atomic_load_explicit(&d->total, memory_order_relaxed);
  shown->longest = atomic_load_explicit(&d->longest, memory_order_relaxed);
  for (int i = 0; i < TM_DURATION_BUCKETS; i++)
    shown->buckets[i] = atomic_load_explicit(&d->buckets[i], memory_order_relaxed);
}

static void visit_class(lock_class *c, void (*visit)(const tm_lock_profile *, void *),
                        void *context) {
  tm_lock_profile profile = {
      .number = number_of(c), .kind = c->kind, .mode = c->mode, .is_first_use = c->is_first_use};
  if (c->label) profile.label = tm_text_kept(c->label);
  profile.place.addresses = tm_stack_kept(c->place, &profile.place.count);
  profile.acquisitions = atomic_load_explicit(&c->acquisitions, memory_order_relaxed);
  profile.contended = atomic_load_explicit(&c->contended, memory_order_relaxed);
  show_durations(&c->wait, &profile.wait);
  show_durations(&c->hold, &profile.hold);
  tm_spin_lock(&c->longest_lock);
  uint32_t holder = c->longest_holder;
  tm_spin_unlock(&c->longest_lock);
  profile.longest_holder.addresses = tm_stack_kept(holder, &profile.longest_holder.count);
  visit(&profile, context);
}

void tm_profile_each(void (*visit)(const tm_lock_profile *, void *context), void *context) {
  lock_class *table = atomic_load_explicit(&classes, memory_order_acquire);
  for (uint32_t i = 0; table && i < CLASS_PLACES; i++)
    if (atomic_load_explicit(&table[i].name, memory_order_acquire))
      visit_class(&table[i], visit, context);
}

TM_GATE_CODE_END
#endif
