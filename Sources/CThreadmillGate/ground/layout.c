#ifdef __linux__
#include "ground/base.h"
#include "ground/layout.h"
#include "ground/dispatch.h"
#include "ground/real.h"

TM_GATE_CODE_BEGIN

enum { NOWHERE = 0xffff, FIRST = 8, SEARCHED = 72, SAMPLE_VALUE = 0x5a17 };

static struct layout {
  uint16_t references, value, initial, group_bits, state;
  uint32_t group_step;
  uint64_t suspended; /* the bits of `state` that are set while it is suspended */
  const void *semaphore, *group, *serial, *concurrent;
  const void *_Atomic source;
} at = {NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, 0, 0, NULL, NULL, NULL, NULL, NULL};

static const void *class_at(const void *object) { return *(const void *const *)object; }

static int32_t half_at(const void *object, uint16_t place) {
  return *(const volatile int32_t *)((const char *)object + place);
}

static uint64_t word_at(const void *object, uint16_t place) {
  return *(const volatile uint64_t *)((const char *)object + place);
}

typedef struct image {
  char bytes[SEARCHED];
} image;

static image image_of(const void *object) {
  image taken;
  tm_copy(&taken, object, sizeof taken);
  return taken;
}

/* Finds the count of references outside libdispatch: the word that grows by two when two more are
 * taken. */
static uint16_t find_references(void *object, void (*retain)(void *), void (*release)(void *)) {
  image one = image_of(object);
  retain(object), retain(object);
  image three = image_of(object);
  release(object), release(object);
  for (uint16_t i = FIRST; i < SEARCHED; i += 4)
    if (half_at(&one, i) == 0 && half_at(&three, i) == 2) return i;
  return NOWHERE;
}

static void measure_semaphore(void *semaphore) {
  image before = image_of(semaphore);
  TM_REAL(dispatch_semaphore_wait)(semaphore, DISPATCH_TIME_FOREVER);
  image after = image_of(semaphore);
  TM_REAL(dispatch_semaphore_signal)(semaphore);
  for (uint16_t i = FIRST; i < SEARCHED; i += 8) {
    if (word_at(&before, i) != SAMPLE_VALUE) continue;
    if (word_at(&after, i) == SAMPLE_VALUE - 1) at.value = i;
    if (word_at(&after, i) == SAMPLE_VALUE) at.initial = i;
  }
  at.semaphore = class_at(semaphore);
}

/* The count runs from 0 downwards in steps of a power of two, beside a few flags. */
static void measure_group(void *group) {
  image before = image_of(group);
  TM_REAL(dispatch_group_enter)(group);
  TM_REAL(dispatch_group_enter)(group);
  image after = image_of(group);
  TM_REAL(dispatch_group_leave)(group);
  TM_REAL(dispatch_group_leave)(group);
  for (uint16_t i = FIRST + 8; i < SEARCHED && at.group_bits == NOWHERE; i += 4) {
    uint32_t twice = 0u - (uint32_t)half_at(&after, i);
    if (half_at(&before, i) != 0 || twice == 0 || twice > 1024 || twice & (twice - 1)) continue;
    at.group_bits = i;
    at.group_step = twice / 2;
  }
  at.group = class_at(group);
}

/* Suspending adds to the upper bits of one word; the flags of an inactive object lie right below
 * them. */
static void measure_queue(void *queue, void *inactive) {
  image before = image_of(queue), asleep = image_of(inactive);
  TM_REAL(dispatch_suspend)(queue);
  image after = image_of(queue);
  TM_REAL(dispatch_resume)(queue);
  TM_REAL(dispatch_activate)(inactive);
  for (uint16_t i = FIRST + 8; i < SEARCHED && at.state == NOWHERE; i += 8) {
    uint64_t step = word_at(&after, i) - word_at(&before, i);
    uint64_t flags = word_at(&asleep, i) & ~word_at(&before, i);
    if (step < (1ull << 48) || step & (step - 1) || !flags || flags >= step) continue;
    at.state = i;
    at.suspended = ~0ull << __builtin_ctzll(flags);
  }
}

void tm_layout_prepare(void) {
  void (*retain)(void *) = TM_HELPER(void (*)(void *), dispatch_retain);
  void *(*make_inactive)(void *) =
      TM_HELPER(void *(*)(void *), dispatch_queue_attr_make_initially_inactive);
  if (!retain || !make_inactive || !tm_real.dispatch_release || !tm_real.dispatch_queue_create)
    return;
  void (*release)(void *) = tm_real.dispatch_release;
  void *semaphore = TM_REAL(dispatch_semaphore_create)(SAMPLE_VALUE);
  void *group = TM_REAL(dispatch_group_create)();
  void *concurrent_attribute = tm_real.dispatch_concurrent_attribute;
  void *serial = TM_REAL(dispatch_queue_create)("threadmill.measure", NULL);
  void *inactive = TM_REAL(dispatch_queue_create)("threadmill.measure", make_inactive(NULL));
  void *concurrent = TM_REAL(dispatch_queue_create)("threadmill.measure", concurrent_attribute);
  at.references = find_references(semaphore, retain, release);
  measure_semaphore(semaphore);
  measure_group(group);
  measure_queue(serial, inactive);
  at.serial = class_at(serial);
  at.concurrent = class_at(concurrent);
  release(semaphore), release(group), release(serial), release(inactive), release(concurrent);
}

void tm_class_learn_source(const void *source) { at.source = class_at(source); }

tm_class tm_class_of(const void *object) {
  const void *its = class_at(object);
  if (!its) return TM_CLASS_OTHER;
  if (its == at.semaphore) return TM_CLASS_SEMAPHORE;
  if (its == at.group) return TM_CLASS_GROUP;
  if (its == at.serial || its == at.concurrent) return TM_CLASS_QUEUE;
  return its == at.source ? TM_CLASS_SOURCE : TM_CLASS_OTHER;
}

bool tm_is_last_reference(const void *object) {
  return at.references != NOWHERE && half_at(object, at.references) == 0;
}

bool tm_semaphore_values(const void *semaphore, int64_t *value, int64_t *initial) {
  if (at.value == NOWHERE || at.initial == NOWHERE) return false;
  *value = (int64_t)word_at(semaphore, at.value);
  *initial = (int64_t)word_at(semaphore, at.initial);
  return true;
}

int64_t tm_group_count(const void *group) {
  if (at.group_bits == NOWHERE) return -1;
  return (0u - ((uint32_t)half_at(group, at.group_bits) & (0u - at.group_step))) / at.group_step;
}

bool tm_is_suspended(const void *lane) {
  return at.state != NOWHERE && (word_at(lane, at.state) & at.suspended) != 0;
}

TM_GATE_CODE_END
#endif
