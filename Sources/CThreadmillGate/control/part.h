/* The Scheduler's part of a thread's state. */
#ifndef TM_CONTROL_PART_H
#define TM_CONTROL_PART_H

struct tm_seat;

typedef struct tm_control_part {
  struct tm_seat
      *seat; /* the seat of an exploration that the thread is, or NULL; see control/model.h */
} tm_control_part;
#endif
