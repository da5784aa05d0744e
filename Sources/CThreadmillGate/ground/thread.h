/* A thread's state. Each floor declares its own parts in its `part.h`; this header puts them
 * together, and is the only one that includes upwards. A floor uses only its own parts and those of
 * the floors below it. */
#ifndef TM_THREAD_STATE_H
#define TM_THREAD_STATE_H
#include "code/part.h"
#include "control/part.h"
#include "ground/part.h"
#include "object/part.h"
#include "observe/part.h"
#include "seam/part.h"
#include "shake/part.h"
#include "strand/part.h"
#include "tell/part.h"

typedef struct tm_thread {
  tm_ground_part ground;
  tm_holds_part holds;
  tm_code_part code;
  tm_strand_part strand;
  tm_who_part who;
  tm_held_part held;
  tm_observe_part observe;
  tm_pool_part pool;
  tm_objects_part objects;
  tm_pools_part pools;
  tm_tell_part tell;
  tm_shake_part shake;
  tm_control_part control;
  tm_seam_part seam;
} tm_thread;

/* The calling thread's state; NULL while the gate does not watch the thread. */
extern _Thread_local tm_thread *tm_self __attribute__((tls_model("initial-exec")));
#endif
