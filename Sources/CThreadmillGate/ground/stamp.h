/* The data of a stamp; see strand/clock.h. */
#ifndef TM_STAMP_H
#define TM_STAMP_H
#include "ground/base.h"

typedef struct tm_stamp {
  struct tm_clock *clock; /* what the strand knew; NULL: nothing */
  uint32_t slot, time;    /* the moment itself; time 0: the stamp is only its clock */
} tm_stamp;
#endif
