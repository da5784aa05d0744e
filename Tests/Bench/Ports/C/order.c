/* Reordering: threads write one variable and then another one; a reader must see none of the
 * writes, or both. */
#include "port.h"

static struct {
  int first;
  int second;
} shared;

static void *set(void *unused) {
  shared.first = 1;
  shared.second = -1;
  return unused;
}

static void *check(void *unused) {
  bool none = shared.first == 0 && shared.second == 0;
  port_check(none || (shared.first == 1 && shared.second == -1));
  return unused;
}

static bool reorder(int threads) {
  memset(&shared, 0, sizeof shared);
  port_begin();
  port_start_many(set, threads - 1);
  port_start(check, NULL);
  return port_end();
}

static bool reorder_3(void) { return reorder(3); }
static bool reorder_4(void) { return reorder(4); }
static bool reorder_5(void) { return reorder(5); }
static bool reorder_10(void) { return reorder(10); }
static bool reorder_20(void) { return reorder(20); }
static bool reorder_50(void) { return reorder(50); }

static const bench_port ports[] = {
    {"reorder-3", reorder_3},
    {"reorder-4", reorder_4},
    {"reorder-5", reorder_5},
    {"reorder-10", reorder_10},
    {"reorder-20", reorder_20},
    {"reorder-50", reorder_50},
    {NULL, NULL},
};

bench_port bench_order(int number) { return ports[number]; }
