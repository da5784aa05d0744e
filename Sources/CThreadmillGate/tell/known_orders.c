#ifdef __linux__
#include "ground/base.h"
#include "tell/known_orders.h"

TM_GATE_CODE_BEGIN

/* Orders of locks. A new order begins the count of all orders anew: it may make a cycle with a
 * known order, which only a schedule that has both shows. */
enum { KNOWN_ORDERS = 1 << 10, ENOUGH = 64 };

static struct {
  uint64_t name;
  uint32_t count, epoch;
} known_orders[KNOWN_ORDERS];

static uint32_t epoch;

void tm_known_orders_forget(void) {
  tm_clear(known_orders, sizeof known_orders);
  epoch++;
}

bool tm_is_order_known(uint64_t name) {
  uint32_t place = name >> 32 & (KNOWN_ORDERS - 1);
  if (known_orders[place].name != name) epoch++;
  if (known_orders[place].name != name || known_orders[place].epoch != epoch) {
    known_orders[place].name = name;
    known_orders[place].count = 0;
    known_orders[place].epoch = epoch;
  }
  return known_orders[place].count++ >= ENOUGH;
}

TM_GATE_CODE_END
#endif
