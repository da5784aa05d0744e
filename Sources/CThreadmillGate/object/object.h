/* The table of instances: leads from an object's address to its identity, its creation stack and
 * the record of its kind. Sharded; shrinks when it empties. */
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
  TM_OBJECT_MISUSED = 8,  /* a lock whose misuse was told */
  TM_OBJECT_RUNTIMES = 4, /* made by the Swift runtime for itself: the queue of its pool */
};

enum {
  TM_HISTORY = 8,
  TM_ITEM_KIND = 100, /* a work item: known to the gate only */
};

/* The last blocks that ended on a queue: a block that was submitted after one of them comes after
 * its end. */
typedef struct tm_history {
  uint32_t next, backlog; /* `backlog`: blocks submitted and not begun, if they are counted */
  uint32_t suspended, suspender; /* the last suspension's kept stack, and its thread */
  tm_suspension suspension;
  struct {
    uint32_t slot, time;
    bool barrier;
    bool covers; /* its end knows all that the end of the block before knew */
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
/* Returns the entry, locked. Makes it with this kind if there is none, or if it is that of another
 * kind of object, which died unseen. NULL only when memory is out. */
tm_object *tm_object_have(const void *address, tm_kind kind);
void tm_object_release(const void *address);

/* Notes a new object at this address, created from `frame`; an earlier object there is retired. */
void tm_object_born(tm_thread *, const void *address, tm_kind kind, int32_t value, void *frame);
void tm_object_died(tm_thread *, const void *address);
/* Removes the entry of an object that Swift never hears of. */
void tm_object_forget(const void *address);

/* Returns whether the object at this address is still the one with this number. */
bool tm_object_is(const void *address, uint64_t id);
bool tm_object_is_marked(const void *address, unsigned flags);
void tm_object_mark(const void *address, unsigned flags);

/* Fills the view and marks the object as declared. */
void tm_object_describe(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
/* The two halves of `tm_object_describe`, for a view that may never go up: the first fills the
 * view, the second marks the object right before the view goes up, unless the object has died. */
void tm_object_note(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
void tm_object_declare(tm_object_view *view);

/* Happens-before through an object: a thread leaves a stamp there, and another thread takes it. */
void tm_object_leave_stamp(tm_thread *, const void *address, tm_kind kind);
/* Leaves the thread's knowledge without beginning a new time: cheap if it is done often and adds
 * nothing new. */
void tm_object_leave_knowledge(tm_thread *, const void *address, tm_kind kind);
void tm_object_take_stamp(tm_thread *, const void *address);
#endif
