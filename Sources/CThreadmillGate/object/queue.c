#ifdef __linux__
#include "ground/base.h"
#include "object/queue.h"
#include "ground/dispatch.h"
#include "ground/kernel.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/clock.h"
#include "strand/quality.h"
#include "strand/strand.h"
#include "strand/thread.h"
#include "threadmill_views.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { ROOTS = 8 };

static struct {
  const void *queue;
  uint8_t quality;
} roots[ROOTS];

enum { SEARCHED = 160, SERIAL_WIDTH = 1, ROOT_WIDTH = 0xfff, NOWHERE = 0xffff, OVERCOMMIT = 2 };
static uint16_t width_place = NOWHERE, target_place = NOWHERE, owner_place = NOWHERE;

static uint16_t width_of(const void *q) {
  return *(const uint16_t *)((const char *)q + width_place);
}

static const void *target_of(const void *q) {
  return *(const void *const *)((const char *)q + target_place);
}

/* A serial queue's state names the thread that drains the queue or runs a `sync` on it, beside two
 * flags. */
enum { OWNER_BITS = 0x3fffffff };

static uint32_t owner_at(const void *q, uint16_t place) {
  return __atomic_load_n((const uint32_t *)((const char *)q + place), __ATOMIC_RELAXED) &
         OWNER_BITS;
}

static void find_owner(void *serial) {
  uint32_t me = (uint32_t)syscall(SYS_gettid);
  for (uint16_t at = 16; at < SEARCHED && owner_place == NOWHERE; at += 4)
    if (owner_at(serial, at) == me) owner_place = at;
}

/* The word with the owner in it, as a serial queue has it that nothing was submitted to: 0 if it is
 * not known. */
static uint64_t free_state;

static uint64_t state_of(const void *q) {
  return __atomic_load_n((const uint64_t *)((const char *)q + owner_place), __ATOMIC_RELAXED);
}

bool tm_queue_looks_free(const void *queue) {
  return free_state != 0 && state_of(queue) == free_state;
}

static void measure_owner(void *serial) {
  void (*sync)(void *, void *, void (*)(void *)) =
      TM_HELPER(void (*)(void *, void *, void (*)(void *)), dispatch_sync_f);
  if (sync) sync(serial, serial, find_owner);
  if (owner_place == NOWHERE) return;
  if (owner_at(serial, owner_place) != 0) owner_place = NOWHERE;
  else if (owner_place % sizeof(uint64_t) == 0) free_state = state_of(serial);
}

bool tm_queue_owner_known(void) { return owner_place != NOWHERE; }

bool tm_queue_is_owned(const void *queue, int tid) {
  return owner_place != NOWHERE && owner_at(queue, owner_place) == (uint32_t)tid;
}

static void measure(const char *serial, const char *concurrent, const char *targeted) {
  for (uint16_t at = 16; at < SEARCHED && width_place == NOWHERE; at += 2) {
    uint16_t s, c, t;
    tm_copy(&s, serial + at, 2), tm_copy(&c, concurrent + at, 2), tm_copy(&t, targeted + at, 2);
    if (s == SERIAL_WIDTH && t == SERIAL_WIDTH && c == ROOT_WIDTH - 1) width_place = at;
  }
  for (uint16_t at = 16; at < SEARCHED && target_place == NOWHERE; at += 8)
    if (*(const void *const *)(targeted + at) == serial) target_place = at;
}

static void find_roots(void) {
  void *(*global)(intptr_t, uintptr_t) =
      TM_HELPER(void *(*)(intptr_t, uintptr_t), dispatch_get_global_queue);
  const uint8_t qualities[] = {TM_BACKGROUND, TM_UTILITY, TM_DEFAULT, TM_USER_INITIATED};
  uint32_t count = 0;
  for (uint32_t i = 0; global && i < sizeof qualities; i++)
    for (uintptr_t flags = 0; flags <= OVERCOMMIT; flags += OVERCOMMIT) {
      roots[count].queue = global(qualities[i], flags);
      roots[count++].quality = qualities[i];
    }
}

uint8_t tm_root_quality(const void *root) {
  for (uint32_t i = 0; root && i < ROOTS; i++)
    if (roots[i].queue == root) return roots[i].quality;
  return 0;
}

/* Without libdispatch, or if its queues have an unknown layout, queues are not watched and all
 * calls pass through. */
void tm_queues_prepare(void) {
  if (!tm_real.dispatch_queue_create_with_target || !tm_real.dispatch_concurrent_attribute) return;
  __typeof__(&dispatch_queue_create_with_target) create = tm_real.dispatch_queue_create_with_target;
  void (*release)(void *) = tm_real.dispatch_release;
  void *serial = create("threadmill.measure", NULL, NULL);
  void *concurrent = create("threadmill.measure", tm_real.dispatch_concurrent_attribute, NULL);
  void *targeted = create("threadmill.measure", NULL, serial);
  measure(serial, concurrent, targeted);
  measure_owner(serial);
  find_roots();
  release(targeted), release(concurrent), release(serial);
  tm_main_queue = tm_real._dispatch_main_q;
}

uint32_t tm_queue_chain(const void *queue, bool barrier, tm_link links[TM_CHAIN]) {
  if (width_place == NOWHERE || target_place == NOWHERE) return 0;
  uint32_t count = 0;
  for (const void *q = queue; q && count < TM_CHAIN; q = target_of(q)) {
    uint16_t width = width_of(q);
    if (width >= ROOT_WIDTH) break;
    bool serial = width == SERIAL_WIDTH;
    links[count].queue = q;
    links[count].kind = serial ? TM_SERIAL_QUEUE : TM_CONCURRENT_QUEUE;
    links[count].mode = serial || (barrier && count == 0) ? TM_EXCLUSIVE : TM_SHARED;
    count++;
    if (q == tm_main_queue) break;
  }
  return count;
}

static bool peek_link(const void *queue, tm_link *link, const void **target) {
  char bytes[SEARCHED + sizeof(void *)];
  uint16_t last = width_place > target_place ? width_place : target_place;
  bool main = queue == tm_main_queue;
  if (!tm_peek(queue, bytes, last + sizeof(void *))) return false;
  if (!main && tm_class_of(bytes) != TM_CLASS_QUEUE) return false;
  bool serial = main || width_of(bytes) == SERIAL_WIDTH;
  *link = (tm_link){queue, serial ? TM_SERIAL_QUEUE : TM_CONCURRENT_QUEUE,
                    serial ? TM_EXCLUSIVE : TM_SHARED};
  *target = main ? NULL : target_of(bytes);
  return true;
}

uint32_t tm_queue_way(const void *queue, tm_link links[TM_CHAIN], const void **end) {
  uint32_t count = 0;
  *end = NULL;
  if (width_place == NOWHERE || target_place == NOWHERE) return 0;
  for (const void *q = queue; q && count < TM_CHAIN;) {
    if (tm_root_quality(q)) {
      *end = q;
      return count;
    }
    if (!peek_link(q, &links[count], &q)) return count;
    count++;
  }
  return count;
}

uint16_t tm_queue_width(const void *queue) {
  return width_place == NOWHERE ? ROOT_WIDTH : width_of(queue);
}

const void *tm_queue_target(const void *queue) {
  return target_place == NOWHERE || tm_queue_is_root(queue) ? NULL : target_of(queue);
}

bool tm_queue_is_root(const void *queue) {
  return width_place != NOWHERE && width_of(queue) >= ROOT_WIDTH;
}

const char *tm_queue_label(const void *queue) {
  const char *(*label)(const void *) =
      TM_HELPER(const char *(*)(const void *), dispatch_queue_get_label);
  return label ? label(queue) : NULL;
}

uint8_t tm_queue_quality(const void *queue) {
  unsigned (*quality)(const void *, int *) =
      TM_HELPER(unsigned (*)(const void *, int *), dispatch_queue_get_qos_class);
  if (!quality || width_place == NOWHERE || target_place == NOWHERE) return 0;
  const void *q = queue;
  for (int i = 0; q && q != tm_main_queue && i < TM_CHAIN; i++) {
    unsigned chosen = quality(q, NULL);
    if (chosen) return tm_quality(chosen);
    q = width_of(q) >= ROOT_WIDTH ? NULL : target_of(q);
  }
  return 0;
}

void tm_history_take(tm_thread *t, const tm_link *link) {
  tm_object *o = tm_object_find(link->queue);
  if (!o) return;
  tm_clock *ends[TM_HISTORY];
  int count = 0;
  bool queue = o->kind == TM_SERIAL_QUEUE || o->kind == TM_CONCURRENT_QUEUE;
  bool learnt = false; /* with a newer end */
  /* Begins with the newest end, which mostly knows the older ones. Learns all ends after the loop,
   * because `tm_knows` has to answer for the time before. */
  for (uint32_t i = 1; queue && o->history && i <= TM_HISTORY; i++) {
    __typeof__(&o->history->blocks[0]) b = &o->history->blocks[(o->history->next - i) % TM_HISTORY];
    bool earlier = b->end && !learnt && (b->barrier || link->mode == TM_EXCLUSIVE);
    if (earlier && tm_knows(t, b->slot, b->time)) {
      ends[count++] = b->end;
      learnt = true;
    }
    learnt = learnt && b->end && b->covers;
    if (learnt && o->history->covering >= TM_HISTORY) break; /* it knows all before it */
  }
  for (int i = 0; i < count; i++) tm_learn(t, (tm_stamp){ends[i], 0, 0});
  tm_object_release(link->queue);
}

void tm_history_end(const tm_link *link, tm_known *known) {
  tm_object *o = tm_object_find(link->queue);
  if (!o) return;
  bool queue = o->kind == TM_SERIAL_QUEUE || o->kind == TM_CONCURRENT_QUEUE;
  for (uint32_t i = 1; queue && o->history && i <= TM_HISTORY; i++) {
    __typeof__(&o->history->blocks[0]) b = &o->history->blocks[(o->history->next - i) % TM_HISTORY];
    if (!b->end || !(b->barrier || link->mode == TM_EXCLUSIVE)) continue;
    tm_known_add(known, b->end, b->ran_on);
    break;
  }
  tm_object_release(link->queue);
}

void tm_history_leave(const tm_link *link, uint32_t slot, uint32_t time, tm_stamp end) {
  tm_object *o = tm_object_have(link->queue, link->kind);
  if (!o) return;
  if (!o->history) o->history = tm_pool_take(sizeof(tm_history));
  tm_clock *old = NULL;
  if (o->history) {
    const tm_clock *before = o->history->blocks[(o->history->next - 1) % TM_HISTORY].end;
    __typeof__(&o->history->blocks[0]) b = &o->history->blocks[o->history->next++ % TM_HISTORY];
    old = b->end;
    b->slot = slot, b->time = time, b->ran_on = end.slot, b->barrier = link->mode == TM_EXCLUSIVE;
    b->end = tm_clock_keep(end.clock);
    b->covers = tm_clock_covers(b->end, before);
    o->history->covering = b->covers ? o->history->covering + 1 : 0;
  }
  tm_object_release(link->queue);
  tm_clock_drop(old);
}

bool tm_backlog_add(const void *queue, uint8_t quality) {
  if (quality == 0 || quality >= TM_USER_INITIATED || width_of(queue) != SERIAL_WIDTH) return false;
  tm_object *o = tm_object_have(queue, TM_SERIAL_QUEUE);
  if (!o) return false;
  bool queues = o->kind == TM_SERIAL_QUEUE;
  if (queues && !o->history) o->history = tm_pool_take(sizeof(tm_history));
  bool counted = queues && o->history;
  if (counted) o->history->backlog++;
  tm_object_release(queue);
  return counted;
}

void tm_backlog_remove(const void *queue) {
  tm_object *o = tm_object_find(queue);
  if (!o) return;
  if (o->kind == TM_SERIAL_QUEUE && o->history && o->history->backlog) o->history->backlog--;
  tm_object_release(queue);
}

uint32_t tm_backlog_of(const void *queue) {
  tm_object *o = tm_object_find(queue);
  if (!o) return 0;
  bool queues = o->kind == TM_SERIAL_QUEUE && o->history;
  uint32_t backlog = queues ? o->history->backlog : 0;
  tm_object_release(queue);
  return backlog;
}

const void *tm_current_queue(void) {
  void *(*current)(void) = TM_HELPER(void *(*)(void), dispatch_get_current_queue);
  return current ? current() : NULL;
}

TM_GATE_CODE_END
#endif
