/* Reads what the kernel writes about this process under /proc/self, by raw system calls. */
#ifndef TM_PROC_H
#define TM_PROC_H
#include "ground/base.h"

enum { TM_PROC_TEXT = 4096, TM_PROC_PATH = 64 };

/* Writes the path "/proc/self/", then `before`, `number` and `rest`. */
void tm_proc_path(char path[TM_PROC_PATH], const char *before, unsigned number, const char *rest);
/* Reads the file as a text, cut if it is long. Returns false if it cannot be read. */
bool tm_proc_read(const char *path, char text[TM_PROC_TEXT]);
/* Returns the text after the word; NULL if the text lacks the word. */
const char *tm_proc_after(const char *text, const char *word);
const char *tm_proc_blanks(const char *text);
/* Reads a number, decimal or after 0x, and moves on behind it. */
uint64_t tm_proc_number(const char **text);

/* An entry of a folder, as the kernel writes it. */
typedef struct tm_proc_entry {
  uint64_t inode;
  int64_t next;
  unsigned short size;
  unsigned char type;
  char name[];
} tm_proc_entry;
#endif
