#ifdef __linux__
#include "ground/base.h"
#include "strand/tasks.h"
#include "code/caller.h"
#include "code/code_kind.h"
#include "code/stack.h"
#include "ground/lock.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "strand/suspended.h"
#include "strand/swift_task.h"

TM_GATE_CODE_BEGIN

/* A set of few places for each hash of a task's address. A new task takes an empty place of its
 * set, or that of its address, or the next in turn: a suspended task may then be missed, but none
 * is made up, because whoever visits the tasks looks at the task itself. A task that is known
 * already costs some loads. */
enum { SETS = 1024, WAYS = 4 };

static struct {
  tm_spin lock;
  uint32_t next;
  tm_known_task ways[WAYS];
} sets[SETS];

static _Atomic uint32_t run;

void tm_tasks_begin_run(void) { atomic_fetch_add_explicit(&run, 1, memory_order_relaxed); }
uint32_t tm_tasks_run(void) { return atomic_load_explicit(&run, memory_order_relaxed); }

static unsigned task_set(const void *task) { return tm_mix(0, (uintptr_t)task) >> 54; }

static bool is_at(const tm_known_task *k, const void *task, uint32_t number) {
  return __atomic_load_n(&k->task, __ATOMIC_RELAXED) == task &&
         __atomic_load_n(&k->number, __ATOMIC_RELAXED) == number;
}

static bool is_known(const void *task, uint32_t number) {
  unsigned set = task_set(task);
  for (int i = 0; i < WAYS; i++)
    if (is_at(&sets[set].ways[i], task, number)) return true;
  return false;
}

/* Returns the place of the task; a new place has number 0. Called with the set's lock held. */
static tm_known_task *place_in(unsigned set, const void *task, uint32_t number) {
  tm_known_task *ways = sets[set].ways;
  for (int i = 0; i < WAYS; i++)
    if (is_at(&ways[i], task, number)) return &ways[i];
  tm_known_task *k = NULL;
  for (int i = 0; !k && i < WAYS; i++)
    if (ways[i].task == task || !ways[i].task) k = &ways[i];
  if (!k) k = &ways[sets[set].next++ % WAYS];
  *k = (tm_known_task){.task = task};
  return k;
}

/* A body is started before the schedule that it belongs to begins. */
static void keep(const tm_thread *t, tm_known_task *k, uint32_t number) {
  if (t->ground.explored) k->run = tm_tasks_run();
  __atomic_store_n(&k->number, number, __ATOMIC_RELAXED);
}

TM_SLOW static void note(tm_thread *t, const void *task, uint32_t number, uint32_t scope,
                         const uintptr_t site[TM_SITE]) {
  unsigned set = task_set(task);
  tm_spin_lock(&sets[set].lock);
  tm_known_task *k = place_in(set, task, number);
  k->scope = scope;
  if (site) tm_site_copy(k->created, site);
  keep(t, k, number);
  tm_spin_unlock(&sets[set].lock);
}

/* Takes the innermost frames outside of the runtime's library, which starts every task. */
static void take_start(tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  enum { INNER = 12 };
  uintptr_t stack[INNER + TM_SITE];
  uint32_t count = tm_site_end(stack, tm_stack_take(t, frame, stack, INNER + TM_SITE));
  uint32_t first = 0;
  while (first < count && tm_caller_of(t, (void *)stack[first]) == TM_CALLER_RUNTIME) first++;
  for (uint32_t i = 0; i < TM_SITE; i++) site[i] = first + i < count ? stack[first + i] : 0;
}

void tm_task_starts(tm_thread *t, void *frame, const void *task, uint32_t scope) {
  uintptr_t site[TM_SITE];
  if (!tm_task_is_new(task) || is_known(task, tm_task_number_here(task))) return;
  tm_swift_task_starts(task);
  take_start(t, frame, site);
  note(t, task, tm_task_number_here(task), scope, site);
}

void tm_task_begins(tm_thread *t, const void *task, uint32_t scope) {
  uint32_t number = tm_task_number_here(task);
  if (!is_known(task, number)) note(t, task, number, scope, NULL);
}

void tm_task_created(const void *task, uint32_t number, uintptr_t site[TM_SITE]) {
  unsigned set = task_set(task);
  tm_spin_lock(&sets[set].lock);
  for (int i = 0; i < WAYS; i++)
    if (is_at(&sets[set].ways[i], task, number)) tm_site_copy(site, sets[set].ways[i].created);
  tm_spin_unlock(&sets[set].lock);
}

static void note_root(tm_thread *t, uint32_t scope, bool root) {
  const void *task = tm_swift_task();
  if (!task) return;
  unsigned set = task_set(task);
  tm_spin_lock(&sets[set].lock);
  tm_known_task *k = place_in(set, task, tm_task_number_here(task));
  if (scope || !root) k->scope = scope;
  k->root = root;
  keep(t, k, tm_task_number_here(task));
  tm_spin_unlock(&sets[set].lock);
}

void tm_task_is_test(tm_thread *t, uint32_t scope) { note_root(t, scope, scope != 0); }
void tm_task_is_body(tm_thread *t) { note_root(t, 0, true); }

void tm_tasks_each(void (*visit)(const tm_known_task *, void *context), void *context) {
  for (unsigned s = 0; s < SETS; s++)
    for (int i = 0; i < WAYS; i++) {
      if (!__atomic_load_n(&sets[s].ways[i].task, __ATOMIC_RELAXED)) continue;
      tm_spin_lock(&sets[s].lock);
      tm_known_task k = sets[s].ways[i];
      tm_spin_unlock(&sets[s].lock);
      if (k.number) visit(&k, context);
    }
}

TM_GATE_CODE_END
#endif
