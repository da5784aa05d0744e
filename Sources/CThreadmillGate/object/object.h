/* The table of instances: leads from an object's address to its identity, its creation stack and
 * the record of its kind. Sharded; shrinks when it empties. */
#ifndef TM_OBJECT_H
#define TM_OBJECT_H
#include "ground/tag.h"
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
  TM_OBJECT_STATES = 16,  /* a mutex that guards the states of an operation or of its queue */
};

enum {
  TM_HISTORY = 8,
  TM_ITEM_KIND = 100, /* a work item: known to the gate only */
};

/* The last blocks that ended on a queue: a block that was submitted after one of them comes after
 * its end. */
typedef struct tm_history {
  uint32_t next, backlog; /* `backlog`: blocks submitted and not begun, if they are counted */
  uint32_t covering;      /* how many of the last blocks have `covers`, without a gap */
  uint32_t suspended, suspender; /* the last suspension's kept stack, and its thread */
  tm_suspension suspension;
  struct {
    uint32_t slot, time;
    uint32_t ran_on; /* the slot in which it ended */
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

/* A mutex that was made by a call has a tag (ground/tag.h). It gets an entry, with what the tag
 * says, when one is asked for with `tm_object_have`. Its memory must be there then. */

/* How many entries have an address that hashes to each place: most look-ups of objects that have no
 * entry need no lock. */
enum { TM_OBJECT_PLACE_BITS = 12, TM_OBJECT_PLACES = 1 << TM_OBJECT_PLACE_BITS };
extern _Atomic uint16_t tm_objects_entered[TM_OBJECT_PLACES];
TM_INLINE _Atomic uint16_t *tm_object_entered(const void *address) {
  uint64_t hash = (uintptr_t)address * 0x9E3779B97F4A7C15u;
  return &tm_objects_entered[hash >> (64 - TM_OBJECT_PLACE_BITS)];
}
TM_INLINE bool tm_object_may_be_entered(const void *address) {
  return atomic_load_explicit(tm_object_entered(address), memory_order_relaxed) != 0;
}

/* The entry with its shard locked, or NULL and nothing locked. Short sections only; no up-call
 * inside. */
tm_object *tm_object_find(const void *address);
/* Returns the entry, locked. Makes it with this kind if there is none, or if it is that of another
 * kind of object, which died unseen. NULL only when memory is out. */
tm_object *tm_object_have(const void *address, tm_kind kind);
void tm_object_release(const void *address);
/* Removes the locked entry, and unlocks. */
void tm_object_remove(tm_object *);

/* Notes a new object at this address, created from `frame`; an earlier object there is retired. */
void tm_object_born(tm_thread *, const void *address, tm_kind kind, int32_t value, void *frame);
void tm_object_died(tm_thread *, const void *address);
/* The same for a mutex, which gets a tag in place of an entry if it can. */
void tm_mutex_born(tm_thread *, const void *mutex, void *frame);
void tm_mutex_died(tm_thread *, const void *mutex);
/* Removes the entry of an object that Swift never hears of. */
void tm_object_forget(const void *address);

/* Which object it is: its number (0: memory is out), and the kept stack of its creation. */
typedef struct tm_identity {
  uint64_t id;
  uint32_t created;
} tm_identity;

TM_INLINE bool tm_is_mutex(tm_kind kind) { return kind == TM_MUTEX || kind == TM_RECURSIVE_MUTEX; }
/* Returns the identity of an object that exists. Makes an entry, unless a tag says it. */
tm_identity tm_object_identity_in_table(const void *address, tm_kind kind);
TM_INLINE tm_identity tm_object_identity(const void *address, tm_kind kind) {
  tm_tag tag;
  if (tm_is_mutex(kind) && tm_tag_read(address, &tag)) return (tm_identity){tag.id, tag.created};
  return tm_object_identity_in_table(address, kind);
}

/* These three may be asked for any address: the memory there may be gone. The tag of a mutex that
 * has no entry is read by a system call. */
/* Returns whether the object at this address is still the one with this number. */
bool tm_object_is(const void *address, uint64_t id);
/* Returns whether an object is known at this address, and sets its kind. */
bool tm_object_kind(const void *address, tm_kind *kind);
/* Returns the kept stack of the object's creation; 0 if there is none. */
uint32_t tm_object_created(const void *address);

bool tm_object_is_marked(const void *address, unsigned flags);
void tm_object_mark(const void *address, unsigned flags);

/* Fills the view and marks the object as declared. */
void tm_object_describe(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
/* The two halves of `tm_object_describe`, for a view that may never go up: the first fills the
 * view, the second marks the object right before the view goes up, unless the object has died. */
void tm_object_note(const void *address, tm_kind kind, tm_mode mode, tm_object_view *view);
void tm_object_declare(tm_object_view *view);
/* Notes an object whose identity the caller knows; its memory may be gone. */
void tm_object_note_as(const void *address, tm_kind kind, tm_mode mode, const tm_identity *,
                       tm_object_view *view);

/* Happens-before through an object: a thread leaves a stamp there, and another thread takes it. */
void tm_object_leave_stamp(tm_thread *, const void *address, tm_kind kind);
/* Leaves the thread's knowledge without beginning a new time: cheap if it is done often and adds
 * nothing new. */
void tm_object_leave_knowledge(tm_thread *, const void *address, tm_kind kind);
void tm_object_take_stamp(tm_thread *, const void *address);
#endif
