/* Containers: a ring of items, a queue, a stack, a bounded buffer, a stack without locks. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { ROOM = 8, ITEMS = 4 };

static struct {
  int items[ROOM];
  int first, next, count, top;
  int may_send, may_receive;
  int taken[ROOM];
} shared;

static void begin(void) {
  memset(&shared, 0, sizeof shared);
  port_begin();
}

/* The count of a ring is left out of the lock. */
static void *send_all(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    shared.items[shared.next] = i;
    shared.next = (shared.next + 1) % ROOM;
    pthread_mutex_unlock(&lock);
    shared.count++;
  }
  return unused;
}

static void *receive_all(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    if (shared.count == 0) continue;
    pthread_mutex_lock(&lock);
    shared.first = (shared.first + 1) % ROOM;
    pthread_mutex_unlock(&lock);
    shared.count--;
  }
  return unused;
}

static bool circular_buffer(void) {
  begin();
  port_start(send_all, NULL);
  port_start(receive_all, NULL);
  bool failed = port_end();
  return failed || shared.count != shared.next - shared.first;
}

/* The receiver must never see a queue that the sender has not filled yet, but flags and queue are
 * apart. */
static void *enqueue(void *unused) {
  pthread_mutex_lock(&lock);
  shared.items[shared.next++] = 11;
  shared.may_receive = 1;
  pthread_mutex_unlock(&lock);
  for (int i = 1; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    if (shared.may_send == 0) {
      shared.items[shared.next++] = i;
      shared.may_receive = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *dequeue(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    if (shared.may_receive) {
      port_check(shared.first < shared.next);
      shared.first++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static bool queue(void) {
  begin();
  port_start(enqueue, NULL);
  port_start(dequeue, NULL);
  return port_end();
}

/* Whether there is something on the stack is asked under the lock, but not in the same section. */
static void *push_all(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    shared.items[shared.top++] = i;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *pop_all(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    bool some = shared.top > 0;
    pthread_mutex_unlock(&lock);
    if (!some) continue;
    pthread_mutex_lock(&lock);
    port_check(shared.top > 0);
    shared.top--;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static bool stack(void) {
  begin();
  port_start(push_all, NULL);
  port_start_many(pop_all, 2);
  return port_end();
}

/* A stack of three cells without locks. A thread takes a cell, or gives back one that it has; a
 * cell that is given back while another thread holds its index is taken by two. */
static int head, length, next_cell[4], owner[4];

static int take_cell(void) {
  while (__atomic_load_n(&length, __ATOMIC_SEQ_CST) > 1) {
    int cell = __atomic_load_n(&head, __ATOMIC_SEQ_CST);
    int next = __atomic_exchange_n(&next_cell[cell], -1, __ATOMIC_SEQ_CST);
    if (next < 0) continue;
    int expected = cell;
    if (__atomic_compare_exchange_n(&head, &expected, next, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      __atomic_fetch_sub(&length, 1, __ATOMIC_SEQ_CST);
      return cell;
    }
    __atomic_exchange_n(&next_cell[cell], next, __ATOMIC_SEQ_CST);
  }
  return -1;
}

static void give_cell(int cell) {
  int top = __atomic_load_n(&head, __ATOMIC_SEQ_CST);
  do __atomic_store_n(&next_cell[cell], top, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(&head, &top, cell, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  __atomic_fetch_add(&length, 1, __ATOMIC_SEQ_CST);
}

static void *use_cells(void *argument) {
  for (int round = 0; round < 2; round++) {
    int cell = take_cell();
    if (cell < 0) continue;
    owner[cell] = port_number(argument);
    port_check(owner[cell] == port_number(argument));
    give_cell(cell);
  }
  return NULL;
}

static bool safe_stack(void) {
  port_begin();
  memset(owner, 0, sizeof owner);
  memcpy(next_cell, (int[4]){1, 2, 0, 0}, sizeof next_cell);
  memcpy(&head, &(int){0}, sizeof head);
  memcpy(&length, &(int){3}, sizeof length);
  port_start_many(use_cells, 3);
  return port_end();
}

static const bench_port ports[] = {
    {"circular-buffer", circular_buffer}, {"queue", queue}, {"stack", stack},
    {"safe-stack", safe_stack},           {NULL, NULL},
};

bench_port bench_queue(int number) { return ports[number]; }
