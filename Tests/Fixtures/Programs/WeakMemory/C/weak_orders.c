#include "weak_orders.h"
#include <stdatomic.h>
#include <stdlib.h>

struct weak_pair {
  _Atomic short payload;
  atomic_bool flag;
};

weak_pair *weak_pair_make(void) { return calloc(1, sizeof(weak_pair)); }
void weak_pair_free(weak_pair *pair) { free(pair); }

void weak_send(weak_pair *pair, bool releases) {
  atomic_store_explicit(&pair->payload, 42, memory_order_relaxed);
  if (releases) atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&pair->flag, true, memory_order_relaxed);
}

int weak_receive(weak_pair *pair) {
  if (!atomic_exchange_explicit(&pair->flag, false, memory_order_acquire)) return 42;
  return atomic_load_explicit(&pair->payload, memory_order_relaxed);
}
