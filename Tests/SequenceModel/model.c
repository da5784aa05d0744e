#include "sequence_model.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The three steps of the protocol are recorded, or played back, instead of done. */
static unsigned step_load(memory_order order);
static void step_store(unsigned value, memory_order order);
static void step_fence(memory_order order);
static _Thread_local unsigned model_number; /* as the writer sees it */
#define TM_SEQUENCE_STEPS
#define TM_SEQUENCE_LOAD(number, order) ((void)(number), step_load(order))
#define TM_SEQUENCE_STORE(number, value, order) ((void)(number), step_store(value, order))
#define TM_SEQUENCE_FENCE(order) step_fence(order)
#include "threadmill_sequence.h"

enum { NUMBER, FIRST, SECOND, THIRD, PLACES, MOST = 24 };

/* An access to a place of the memory. `group` counts the fences before it. */
typedef struct access {
  int place, group;
  unsigned value;
  bool ordered; /* a release, or an acquire */
} access;

typedef struct thread {
  access accesses[MOST];
  int count, fences;
  uint32_t before[MOST]; /* the accesses that come before each one in every execution */
} thread;

static _Thread_local struct {
  thread writer, looker, *records;
  sequence_flaw flaw;
  bool leaves_out;       /* the order of the step that is recorded now */
  const unsigned *plays; /* the values that a look loaded from the number */
  sequence_scenario scenario;
  sequence_result result;
} model;

static void record(int place, unsigned value, bool ordered) {
  thread *t = model.records;
  t->accesses[t->count++] = (access){place, t->fences, value, ordered && !model.leaves_out};
}

static unsigned step_load(memory_order order) {
  if (model.plays) return *model.plays++;
  if (model.records == &model.writer) return model_number;
  record(NUMBER, 0, order == memory_order_acquire);
  return 0;
}

static void step_store(unsigned value, memory_order order) {
  model_number = value;
  record(NUMBER, value, order == memory_order_release);
}

static void step_fence(memory_order order) {
  (void)order;
  if (!model.plays && !model.leaves_out) model.records->fences++;
}

static atomic_uint unused;

static unsigned begin(void) {
  if (model.flaw == SEQUENCE_COUNTED_AFTERWARDS) return 0;
  model.leaves_out = model.flaw == SEQUENCE_NO_FENCE_AT_BEGIN;
  unsigned after = tm_sequence_begin(&unused);
  model.leaves_out = false;
  return after;
}

static void end(unsigned after) {
  if (model.flaw == SEQUENCE_COUNTED_AFTERWARDS)
    return step_store(model_number + 2, memory_order_release);
  model.leaves_out = model.flaw == SEQUENCE_NO_RELEASE_AT_END;
  tm_sequence_end(&unused, after);
  model.leaves_out = false;
}

static void write(int place, unsigned value) { record(place, value, false); }

static void change_both(unsigned value) {
  unsigned after = begin();
  write(FIRST, value);
  write(SECOND, value);
  end(after);
}

static void change_count(unsigned count) {
  unsigned after = begin();
  write(THIRD, count);
  end(after);
}

static void record_writer(void) {
  unsigned after;
  model.records = &model.writer;
  switch (model.scenario) {
  case SEQUENCE_TWO_CHANGES:
    change_both(1);
    change_both(2);
    return;
  case SEQUENCE_PREPARED:
    change_count(0);
    write(FIRST, 1);
    write(SECOND, 1);
    change_count(1);
    return;
  default:
    after = begin();
    write(FIRST, 1);
    change_count(0);
    write(SECOND, 1);
    end(after);
    return;
  }
}

static void record_looker(void) {
  model.records = &model.looker;
  model.leaves_out = model.flaw == SEQUENCE_NO_ACQUIRE_AT_LOOK;
  unsigned since = tm_sequence_look(&unused);
  model.leaves_out = false;
  for (int place = FIRST; place < PLACES; place++) record(place, 0, false);
  model.leaves_out = model.flaw == SEQUENCE_NO_FENCE_AT_END_OF_LOOK;
  tm_sequence_is_whole(&unused, since);
  model.leaves_out = false;
}

/* Two accesses of a thread keep their order if they are to the same place, a fence stands between
 * them, the later one releases, or the earlier one acquires. */
static void order(thread *t, bool writes) {
  for (int later = 0; later < t->count; later++)
    for (int i = 0; i < later; i++) {
      const access *a = &t->accesses[i], *b = &t->accesses[later];
      bool kept = a->place == b->place || a->group < b->group || (writes ? b : a)->ordered;
      if (kept) t->before[later] |= 1u << i;
    }
}

/* Returns whether the memory was like this at some moment when no change went on. A place that the
 * count has put out of use has no value. */
static bool was_so(const unsigned memory[PLACES]) {
  unsigned first = memory[FIRST], second = memory[SECOND], third = memory[THIRD];
  switch (model.scenario) {
  case SEQUENCE_TWO_CHANGES: return first == second;
  case SEQUENCE_PREPARED: return third == 0 || first == second;
  default: return first == second && third == !first;
  }
}

static void judge(const unsigned loaded[MOST]) {
  unsigned memory[PLACES], numbers[2] = {loaded[0], loaded[model.looker.count - 1]};
  for (int i = 1; i < model.looker.count - 1; i++)
    memory[model.looker.accesses[i].place] = loaded[i];
  model.plays = numbers;
  unsigned since = tm_sequence_look(&unused);
  if (model.flaw == SEQUENCE_ODD_IS_IGNORED && since & 1) numbers[1] ^= 1, since ^= 1;
  bool whole = tm_sequence_is_whole(&unused, since);
  model.plays = NULL;
  model.result.executions++;
  if (whole) model.result.whole++;
  if (whole && !was_so(memory)) model.result.torn++;
}

/* Goes on with each access that may come next. */
static void explore(uint32_t written, uint32_t read, const unsigned memory[PLACES],
                    unsigned loaded[MOST]) {
  const thread *w = &model.writer, *l = &model.looker;
  if (read == (1u << l->count) - 1) return judge(loaded);
  for (int i = 0; i < w->count; i++) {
    if (written & 1u << i || w->before[i] & ~written) continue;
    unsigned next[PLACES];
    for (int place = 0; place < PLACES; place++) next[place] = memory[place];
    next[w->accesses[i].place] = w->accesses[i].value;
    explore(written | 1u << i, read, next, loaded);
  }
  for (int i = 0; i < l->count; i++) {
    if (read & 1u << i || l->before[i] & ~read) continue;
    loaded[i] = memory[l->accesses[i].place];
    explore(written, read | 1u << i, memory, loaded);
  }
}

sequence_result sequence_run(sequence_scenario scenario, sequence_flaw flaw) {
  unsigned loaded[MOST] = {0}, memory[PLACES] = {[THIRD] = 1};
  __builtin_memset(&model, 0, sizeof model);
  model_number = 0;
  model.scenario = scenario, model.flaw = flaw;
  record_writer();
  record_looker();
  order(&model.writer, true);
  order(&model.looker, false);
  explore(0, 0, memory, loaded);
  return model.result;
}
