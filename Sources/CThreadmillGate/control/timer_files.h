/* Timers that are files (timerfd), in virtual time. */
#ifndef TM_CONTROL_TIMER_FILES_H
#define TM_CONTROL_TIMER_FILES_H
#include "ground/base.h"

typedef struct tm_timer_file {
  struct tm_timer_file *next;
  int file;
  uint64_t due, interval; /* due 0: not set */
  bool ended;             /* the file is ready, and was not read since */
} tm_timer_file;

/* Returns the timer with this file; NULL if it is not under control. `make` puts it there; NULL if
 * memory is out. */
tm_timer_file *tm_timer_file_of(int file);
tm_timer_file *tm_timer_file_make(int file);
/* Returns the next moment in virtual time at which a timer ends; 0: there is none. */
uint64_t tm_timer_files_due(void);
/* Makes each timer ready whose moment has come. */
void tm_timer_files_expire(void);
/* Forgets all timers; forgets the one with this file. */
void tm_timer_files_forget(void);
void tm_timer_file_forget(int file);
/* The flow has read the file: if it is a timer under control, puts the number of its ends into
 * `count`. */
void tm_timer_file_read(int file, void *count);
#endif
