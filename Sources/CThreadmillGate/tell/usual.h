/* Familiar nestings (familiar.h) of the commonest kind, at a small part of the cost: a mutex is
 * taken under one other mutex, by the same calls as a moment ago, outside of Swift tasks. */
#ifndef TM_USUAL_H
#define TM_USUAL_H
#include "ground/thread.h"

/* Returns whether the nesting of this mutex in what the thread holds is kept, so that the call that
 * takes the mutex is plain. It was not seen before; its context is remembered then. Returns false
 * without an effect if all of that has to be found out by `tm_nested`. */
bool tm_is_usual(tm_thread *, const void *mutex, uint64_t context, void *frame);
/* Notes that the thread kept a nesting of two locks and of this habit, if it is one that
 * `tm_is_usual` can know again. `orders_epoch` is that of the orders of classes. */
void tm_usual_note(tm_thread *, const void *mutex, const uintptr_t site[TM_SITE], uint32_t habit,
                   uint32_t orders_epoch);
#endif
