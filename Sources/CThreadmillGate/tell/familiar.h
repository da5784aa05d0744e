/* Nestings that are new by their locks but not by their code: the same calls took locks of the same
 * classes before. The first ones of each kind are told in an up-call. The others are kept here, at
 * a small part of that cost, as long as the orders of their classes say that they cannot be on a
 * circle with those of other strands. As soon as they can, they are told. */
#ifndef TM_FAMILIAR_H
#define TM_FAMILIAR_H
#include "ground/thread.h"
#include "strand/operation.h"
#include "tell/kept.h"
#include "threadmill_views.h"

/* Returns whether the nesting is kept, so that it need not be told now. `task` is the Swift task
 * that runs here, or NULL. */
bool tm_is_familiar(tm_thread *, const tm_operation *, const void *task);
/* Keeps another nesting of a habit of two locks that the thread kept in the same strand, outside of
 * Swift tasks, when the orders of classes had this epoch. Returns false if they have another one by
 * now. */
bool tm_familiar_again(tm_thread *, uint32_t habit, uint32_t orders_epoch,
                       const tm_kept_lock locks[2]);
/* Tells the kept nestings that have to be told by now. Called in an up-call, before a nesting is
 * told. */
void tm_familiar_tell(void);
#endif
