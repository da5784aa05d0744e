/* Tells whether a file can become ready by threads of this process alone, as the kernel shows it
 * under /proc/self. Takes tens of microseconds. */
#ifndef TM_REACH_H
#define TM_REACH_H
#include "ground/base.h"

typedef enum tm_reach {
  TM_REACH_INSIDE, /* only this process makes the file ready */
  TM_REACH_LATE,   /* the same, but through the kernel's network, which may take a moment */
  TM_REACH_OUTSIDE /* another process, a device or a clock can make it ready */
} tm_reach;

/* Returns what can make the file ready to be read, or written if `writes`. A listening socket is
 * inside if its address is a local one. */
tm_reach tm_file_reach(int file, bool writes);

/* Returns whether this process has children that live, or were not waited for. */
bool tm_has_children(void);
/* Returns whether data is on its way between sockets of this process. */
bool tm_network_is_busy(void);

enum { TM_FILE_NAME = 24 };
/* Writes the kind of the file and its number, such as "eventfd 5". */
void tm_file_name(int file, char name[TM_FILE_NAME]);
#endif
