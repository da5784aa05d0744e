/* Fibres of Thread Sanitizer for strands: TSan then compares blocks, iterations and jobs, and not
 * the threads that happen to run them. */
#ifndef TM_FIBRE_H
#define TM_FIBRE_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/edge.h"

void tm_fibres_prepare(void);

/* A strand's stay on a fibre. */
typedef struct tm_stay {
  struct tm_fibre *fibre; /* NULL: the strand runs on the thread's own state */
  void *outer;            /* the state that the thread had before */
} tm_stay;

/* Takes a fibre from the pool for a strand that begins after the moment `from`, and goes on in the
 * fibre's slot. `top`: the frames of the strand will lie below this address. */
void tm_fibre_enter(tm_thread *, tm_stamp from, uintptr_t top, tm_stay *);
/* Gives it back. The caller puts the thread's slot and time back. */
void tm_fibre_leave(tm_thread *, uintptr_t top, const tm_stay *);
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
/* The thread ends inside a strand: it goes back to its own state. */
void tm_fibre_abandon(tm_thread *);
/* Returns the number of the fibre with the name that TSan shows for it, or -1. */
int tm_fibre_number(const char *name);
#endif
