/* The mailbox of a run: a file that the process maps when it starts, and that takes its reports if
 * it can open no file later: as another user, in another root, or with narrow limits. No descriptor
 * stays open. `ReportMailbox` in Swift makes the file and reads it. */
#ifndef TM_MAILBOX_H
#define TM_MAILBOX_H
#include <stdint.h>

/* "TMMAIL01"; then the bytes that are taken, this header included, and the reports that found no
 * room. */
#define TM_MAILBOX_MARK 0x31304c49414d4d54ull
typedef struct tm_mailbox_header {
  uint64_t mark;
  _Atomic uint64_t taken, refused;
  uint64_t unused;
} tm_mailbox_header;

/* In front of each report, which is padded to 8 bytes. */
typedef struct tm_mailbox_letter {
  uint64_t length;
  uint64_t is_complete;
} tm_mailbox_letter;

#endif
