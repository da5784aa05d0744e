/* Runs the gate's sequence lock (threadmill_sequence.h) through every execution that a weakly
 * ordered machine allows: stores become visible, and loads are done, in any order that fences,
 * releases and acquires leave open. One thread writes, one looks. */
#ifndef SEQUENCE_MODEL_H
#define SEQUENCE_MODEL_H
#include <stdint.h>

typedef enum sequence_scenario {
  SEQUENCE_TWO_CHANGES, /* of two fields, one after the other */
  SEQUENCE_PREPARED,    /* a hold is removed, the next one prepared and then taken into use */
  SEQUENCE_HANDLER,     /* a signal handler makes a change in the middle of another change */
  SEQUENCE_SCENARIOS
} sequence_scenario;

/* What is left out of the protocol. */
typedef enum sequence_flaw {
  SEQUENCE_SOUND,
  SEQUENCE_NO_FENCE_AT_BEGIN,
  SEQUENCE_NO_RELEASE_AT_END,
  SEQUENCE_NO_ACQUIRE_AT_LOOK,
  SEQUENCE_NO_FENCE_AT_END_OF_LOOK,
  SEQUENCE_ODD_IS_IGNORED,
  SEQUENCE_COUNTED_AFTERWARDS, /* the number grows only behind each change */
  SEQUENCE_FLAWS
} sequence_flaw;

typedef struct sequence_result {
  uint64_t executions;
  uint64_t whole; /* looks that are said to be of one moment */
  uint64_t torn;  /* of those, the ones that are not */
} sequence_result;

sequence_result sequence_run(sequence_scenario, sequence_flaw);
#endif
