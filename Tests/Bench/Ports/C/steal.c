/* Work-stealing queues: the owner pushes and pops at the tail, a thief steals at the head. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { ROOM = 16, WORK = 4, STEALS = 2 };

static struct {
  int head, tail;
  int elements[ROOM];
  int done[ROOM]; /* how often each was worked on */
} shared;

static bool locked_steal(int *element) {
  pthread_mutex_lock(&lock);
  int at = shared.head;
  shared.head = at + 1;
  bool some = at < shared.tail;
  if (some) *element = shared.elements[at];
  else shared.head = at;
  pthread_mutex_unlock(&lock);
  return some;
}

/* The last element is looked for once more under the lock. */
static bool pop_under_lock(int *element) {
  pthread_mutex_lock(&lock);
  int at = shared.tail - 1;
  shared.tail = at;
  bool some = shared.head <= at;
  if (some) *element = shared.elements[at];
  else shared.tail = at + 1;
  pthread_mutex_unlock(&lock);
  return some;
}

/* Looks at the head before it says which element it takes. */
static bool hasty_pop(int *element) {
  int at = shared.tail - 1;
  int head = shared.head;
  shared.tail = at;
  if (head <= at) {
    *element = shared.elements[at];
    return true;
  }
  shared.tail = at + 1;
  return pop_under_lock(element);
}

static void push(int element) {
  int at = shared.tail;
  shared.elements[at] = element;
  shared.tail = at + 1;
}

static void work_on(int element) {
  __atomic_fetch_add(&shared.done[element], 1, __ATOMIC_RELAXED);
}

static void *thief(void *unused) {
  int element;
  for (int i = 0; i < STEALS; i++)
    if (locked_steal(&element)) work_on(element);
  return unused;
}

static void *owner(void *unused) {
  int element;
  for (int i = 0; i < WORK; i += 2) {
    push(i);
    push(i + 1);
    if (hasty_pop(&element)) work_on(element);
  }
  while (hasty_pop(&element)) work_on(element);
  return unused;
}

static bool all_done_once(void) {
  bool wrong = port_end();
  for (int i = 0; i < WORK; i++) wrong |= shared.done[i] != 1;
  return wrong;
}

static bool work_stealing(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start(owner, NULL);
  port_start(thief, NULL);
  return all_done_once();
}

/* The same without a lock: the thief takes the head by a compare-and-exchange, and the owner does
 * not do so for the last element. */
static bool free_steal(int *element) {
  int at = __atomic_load_n(&shared.head, __ATOMIC_SEQ_CST);
  if (at >= __atomic_load_n(&shared.tail, __ATOMIC_SEQ_CST)) return false;
  *element = shared.elements[at];
  return __atomic_compare_exchange_n(&shared.head, &at, at + 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

static bool free_pop(int *element) {
  int at = __atomic_load_n(&shared.tail, __ATOMIC_SEQ_CST) - 1;
  __atomic_store_n(&shared.tail, at, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&shared.head, __ATOMIC_SEQ_CST) <= at) {
    *element = shared.elements[at];
    return true;
  }
  __atomic_store_n(&shared.tail, at + 1, __ATOMIC_SEQ_CST);
  return false;
}

static void *free_thief(void *unused) {
  int element;
  for (int i = 0; i < STEALS; i++)
    if (free_steal(&element)) work_on(element);
  return unused;
}

static void *free_owner(void *unused) {
  int element;
  for (int i = 0; i < WORK; i += 2) {
    push(i);
    push(i + 1);
    if (free_pop(&element)) work_on(element);
  }
  while (free_pop(&element)) work_on(element);
  return unused;
}

static bool interlocked_stealing(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start(free_owner, NULL);
  port_start_many(free_thief, 2);
  return all_done_once();
}

static const bench_port ports[] = {
    {"work-stealing", work_stealing},
    {"interlocked-stealing", interlocked_stealing},
    {NULL, NULL},
};

bench_port bench_steal(int number) { return ports[number]; }
