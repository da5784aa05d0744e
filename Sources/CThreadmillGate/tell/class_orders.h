/* The orders in which locks of different classes are nested, over the whole run. Locks that were
 * created by the same calls are of one class, and so are all of one kind that no call created.
 *
 * Locks can only wait for each other in a circle if their classes make a circle: an order outside
 * of all circles of classes is harmless, however many locks there are. Nothing here is ever
 * forgotten. The caller has a lock of its own for all of it. */
#ifndef TM_CLASS_ORDERS_H
#define TM_CLASS_ORDERS_H
#include "ground/base.h"

/* What the orders of classes say of a nesting. */
typedef enum tm_standing {
  TM_ORDER_FREE, /* it is on no circle of classes */
  TM_ORDER_LONE, /* it is on one, but a single strand made all of it */
  TM_ORDER_OPEN, /* its locks may be on a circle with others */
} tm_standing;

/* Returns the number of the class; 0 if there is no room for it. `created` is a kept stack. */
uint16_t tm_class_number(uint32_t created, uint8_t kind);
/* Notes that a strand took a lock of class `to` under one of class `from`, and says what follows.
 */
tm_standing tm_class_order_note(uint16_t from, uint16_t to, uint64_t strand);
/* Returns what is true by now of an order that was noted. */
tm_standing tm_class_order_standing(uint16_t from, uint16_t to);
/* Grows whenever the standing of an order that was noted may have changed. */
extern uint32_t tm_class_orders_epoch;
#endif
