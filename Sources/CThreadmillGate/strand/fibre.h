/* Fibres of Thread Sanitizer for strands: TSan then compares blocks, iterations and jobs, and not
 * the threads that happen to run them. */
#ifndef TM_FIBRE_H
#define TM_FIBRE_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/edge.h"

void tm_fibres_prepare(void);

/* The moments that a strand comes after. */
enum { TM_KNOWN_ENDS = 8 };
typedef struct tm_known {
  tm_stamp from;                     /* the moment of its submission */
  struct tm_clock *ends[TM_KNOWN_ENDS]; /* the ends of other strands, with references */
  uint32_t count;
  uint32_t near; /* the slot of one of these ends; 0: unknown */
} tm_known;
/* Adds an end of a strand that ran in this slot (0: unknown); the clock stays the caller's. */
TM_INLINE void tm_known_add(tm_known *known, struct tm_clock *end, uint32_t slot) {
  if (known->count == TM_KNOWN_ENDS) return;
  known->ends[known->count++] = tm_clock_keep(end);
  if (slot) known->near = slot;
}
TM_INLINE void tm_known_drop(tm_known *known) {
  while (known->count) tm_clock_drop(known->ends[--known->count]);
}

/* A strand's stay on a fibre. */
typedef struct tm_stay {
  struct tm_fibre *fibre; /* NULL: the strand runs on the thread's own state */
  void *outer;            /* the state that the thread had before */
  bool outermost;         /* that was the thread's own state */
  bool kept;              /* the thread keeps the fibre afterwards */
} tm_stay;

/* Takes a fibre for a strand, and goes on in the fibre's slot. `top`: the frames of the strand will
 * lie below this address. */
void tm_fibre_enter(tm_thread *, const tm_known *, uintptr_t top, tm_stay *);
/* Leaves it. The caller puts the thread's slot and time back. `passes`: what the thread does next
 * comes after the strand. */
void tm_fibre_leave(tm_thread *, uintptr_t top, bool passes, const tm_stay *);
/* Notes what the strand on the fibre does: a number of work (errand.h) and of a Swift task. */
void tm_fibre_does(const tm_thread *, const tm_stay *, uint32_t work, uint32_t task);
/* What is known of the strands that did this work on a fibre. */
typedef struct tm_fibre_past {
  uint32_t thread, task; /* of the latest; task 0: unknown, or there were several */
  bool certain;          /* all of them ran on this thread */
} tm_fibre_past;
tm_fibre_past tm_fibre_did(int fibre, uint32_t work);
/* Returns whether one of the latest strands on the fibre ran on this thread. */
bool tm_fibre_ran_on(int fibre, uint32_t thread);
/* The thread ends, perhaps inside a strand: it goes back to its own state. */
void tm_fibre_abandon(tm_thread *);
/* Returns the number of the fibre with the name that TSan shows for it, or -1. */
int tm_fibre_number(const char *name);
#endif
