/* What a program can tell Threadmill of its own objects, and how it finds the gate that listens. A
 * program that is linked with annotations alone has no gate. */
#ifndef THREADMILL_ANNOTATIONS_H
#define THREADMILL_ANNOTATIONS_H
#include <stdbool.h>
#include <stdint.h>

/* The gate's record of something that belongs to one queue or one actor. The contents are the
 * gate's own. The size is fixed, because the program and a preloaded gate may be of different
 * versions. */
typedef struct tm_confined {
  uint64_t words[8];
} tm_confined;

/* The gate's functions. They never change; a gate with other functions has another symbol. */
typedef struct tm_annotations {
  bool (*is_active)(void);
  /* Each of these two begins a record, and returns false if nothing is to be checked. The record
   * stays where it is until its end. */
  bool (*confine_to_queue)(tm_confined *, const char *name, const void *queue);
  bool (*confine_to_actor)(tm_confined *, const char *name, const void *executor,
                           const char *actor);
  /* Makes a finding if the calling thread is certainly elsewhere. */
  void (*check)(const tm_confined *);
  void (*end)(tm_confined *);
} tm_annotations;

/* Defined by the gate. */
extern const tm_annotations threadmill_annotations_1;

/* Returns the functions of the gate that is linked or preloaded; NULL if there is none. */
const tm_annotations *tm_annotations_find(void);
#endif
