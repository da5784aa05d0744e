/* The table of instances: address to identity, creation stack and what hangs on it. Sharded;
 * shrinks when it empties. */
#ifndef TM_OBJECT_H
#define TM_OBJECT_H
#include "ground/thread.h"
#include "strand/clock.h"
#include "threadmill_decisions.h"
#include "threadmill_views.h"

enum {
  TM_OBJECT_DECLARED = 1, /* Swift knows it */
  TM_OBJECT_NO_LOCK = 2,  /* a semaphore that another thread signalled */
  TM_OBJECT_DEPENDS = 4,  /* an operation that takes part in dependencies */
  TM_OBJECT_RUNTIMES = 4, /* made by the Swift runtime for itself: the queue of its pool */
};

enum {
  TM_HISTORY = 8,
  TM_ITEM_KIND = 100, /* a work item: known to the gate only */
};

/* The last blocks that ended on a queue: a later one that was submitted after them comes after
 * them. */
typedef struct tm_history {
  uint32_t next, backlog; /* `backlog`: blocks submitted and not begun, where that is counted */
  uint32_t suspended, suspender; /* where it was suspended last, a kept stack, and by whom */
  tm_suspension suspension;
  struct {
    uint32_t slot, time;
    bool barrier;
    bool covers; /* its end knows all that the end of the one before knew */
    tm_clock *end;
  } blocks[TM_HISTORY];
} tm_history;

typedef struct tm_object {
  const void *address; /* NULL: empty place */
  union {              /* by kind */
    tm_clock *clock;
    tm_history *history;         /* a queue's or source's */
    struct tm_group *group;      /* has a clock of its own */
    struct tm_semaphore *signal; /* has a clock of its own */
    struct tm_item *item;
  };
  uint64_t id : 48, kind : 8, flags : 8;
  uint32_t created; /* kept stack */
  int32_t value;    /* a semaphore's initial value; a queue's label or a confined thing's name, as a
                       kept text; the thread that used an operation first */
} tm_object;

/* The entry with its shard locked, or NULL and nothing locked. Short sections only; no up-call
 * inside. */
tm_object *tm_object_find(const void *address);
/* The same, made with this kind if it is not there, or if what is there has to do with something
 * else that died unseen. NULL only when memory is out. */
tm_object *tm_object_have(const void *address, tm_kind kind);
void tm_object_release(const void *address);

/* A new instance at this address, created from `frame`; whatever was there before is retired. */
void tm_object_born(tm_thread *, const void *address, tm_kind kind, int32_t value, void *frame);
void tm_object_died(tm_thread *, const void *address);
/* The same for an object that Swift never hears of. */
void tm_object_forget(const void *address);

bool tm_object_is_marked(const void *address, unsigned flags);
void tm_object_mark(const void *address, unsigned flags);

/* Fills the view and marks the object as declared. */
void tm_object_describe(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
/* The same for a view of which nobody knows yet whether it goes up, and what is to be done to it
 * right before it does: an object that died meanwhile is not declared any more. */
void tm_object_note(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
void tm_object_declare(tm_object_view *view);

/* Happens-before through an object: what is left there, and what is picked up. */
void tm_object_leave_stamp(tm_thread *, const void *address, tm_kind kind);
/* The same without beginning a new time: cheap where it is done often and says nothing new. */
void tm_object_leave_knowledge(tm_thread *, const void *address, tm_kind kind);
void tm_object_take_stamp(tm_thread *, const void *address);
#endif
