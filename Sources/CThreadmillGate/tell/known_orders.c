#ifdef __linux__
#include "ground/base.h"
#include "tell/known_orders.h"

TM_GATE_CODE_BEGIN

/* Orders of locks. A new order begins the count of all orders anew: it may make a cycle with a
 * known order, which only a schedule that has both shows. */
enum { ORDERS = 1 << 10, ENOUGH = 64 };

static struct {
  uint64_t name;
  uint32_t count, epoch;
} orders[ORDERS];

static uint32_t epoch;

void tm_known_orders_forget(void) {
  tm_clear(orders, sizeof orders);
  epoch++;
}

bool tm_is_order_known(uint64_t name) {
  uint32_t place = name >> 32 & (ORDERS - 1);
  if (orders[place].name != name) epoch++;
  if (orders[place].name != name || orders[place].epoch != epoch) {
    orders[place].name = name;
    orders[place].count = 0;
    orders[place].epoch = epoch;
  }
  return orders[place].count++ >= ENOUGH;
}

TM_GATE_CODE_END
#endif
