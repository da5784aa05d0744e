/* The seam's part of a thread's state. */
#ifndef TM_SEAM_PART_H
#define TM_SEAM_PART_H

struct tm_section;

typedef struct tm_seam_part {
  struct tm_section *pending; /* a `sync` whose work item has not begun yet, or NULL */
} tm_seam_part;
#endif
