/* The layouts of the Swift runtime and of Foundation that are compiled into the gate. Each is
 * compared with this process before the gate relies on it; one that does not fit is not read. */
#ifndef THREADMILL_LAYOUTS_H
#define THREADMILL_LAYOUTS_H
#include <stdbool.h>
#include <stdint.h>

typedef enum tm_layout {
  TM_LAYOUT_JOB,          /* flags, identifier, and where a job goes on */
  TM_LAYOUT_TASK,         /* the words of a task that its suspension writes */
  TM_LAYOUT_STATUS,       /* the status of a task */
  TM_LAYOUT_ACTOR,        /* the state of a default actor, and the jobs that wait for it */
  TM_LAYOUT_CONTINUATION, /* the task that a checked continuation keeps */
  TM_LAYOUT_STRING,
  TM_LAYOUT_ARRAY,
  TM_LAYOUT_OPERATION,    /* the fields of Foundation's operations and their queues */
  TM_LAYOUT_KEY_PATH,     /* the property that a key path names */
  TM_LAYOUT_LOCK_CLASSES, /* the range of code of Foundation's locks */
  TM_LAYOUTS
} tm_layout;
const char *tm_layout_name(tm_layout);
uint32_t tm_layout_count(void);

typedef enum tm_fit { TM_FIT_UNKNOWN, TM_FIT_YES, TM_FIT_NO } tm_fit;
/* The result of the comparison; unknown until the first object of its kind came by. */
tm_fit tm_layout_fit(tm_layout);

/* Values made by Swift code of this process: the strings "isFinished", "größer", "a literal in the
 * program" and, in storage of its own, "01234567890123456789"; an array of two objects, and the
 * objects. */
enum { TM_SAMPLE_STRINGS = 4, TM_SAMPLE_ELEMENTS = 2 };
typedef struct tm_string_words {
  uint64_t first, second;
} tm_string_words;
typedef struct tm_swift_samples {
  tm_string_words strings[TM_SAMPLE_STRINGS];
  const void *array, *elements[TM_SAMPLE_ELEMENTS];
} tm_swift_samples;
/* Compares strings and arrays. Called once, before `tm_activate`. */
void tm_layout_samples(const tm_swift_samples *);

/* For tests: the gate reads this layout one word beside its place, as if the toolchain had moved
 * it. Called before `tm_activate`. */
void tm_layout_move(tm_layout);
#endif
