/* The orders of locks that an exploration has told often enough. */
#ifndef TM_KNOWN_ORDERS_H
#define TM_KNOWN_ORDERS_H
#include <stdbool.h>
#include <stdint.h>

/* Counts the order with this name (made of places). Returns whether it was told so often already
 * that the graph of orders learns nothing from one more schedule. */
bool tm_is_order_known(uint64_t name);
void tm_known_orders_forget(void);
#endif
