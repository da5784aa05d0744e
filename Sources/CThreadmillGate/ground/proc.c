#ifdef __linux__
#include "ground/base.h"
#include "ground/proc.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

void tm_proc_path(char path[TM_PROC_PATH], const char *before, unsigned number, const char *rest) {
  char digits[12];
  uint32_t count = 0, at = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  const char *start = "/proc/self/";
  while (*start) path[at++] = *start++;
  while (*before) path[at++] = *before++;
  while (count) path[at++] = digits[--count];
  while (*rest) path[at++] = *rest++;
  path[at] = 0;
}

bool tm_proc_read(const char *path, char text[TM_PROC_TEXT]) {
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  long length = 0, count;
  while (length < TM_PROC_TEXT - 1 &&
         (count = syscall(SYS_read, file, text + length, TM_PROC_TEXT - 1 - length)) > 0)
    length += count;
  syscall(SYS_close, file);
  text[length] = 0;
  return length > 0;
}

const char *tm_proc_after(const char *text, const char *word) {
  for (; *text; text++) {
    uint32_t i = 0;
    while (word[i] && text[i] == word[i]) i++;
    if (!word[i]) return text + i;
  }
  return NULL;
}

const char *tm_proc_blanks(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

uint64_t tm_proc_number(const char **text) {
  const char *at = tm_proc_blanks(*text);
  uint64_t value = 0;
  bool hex = at[0] == '0' && at[1] == 'x';
  for (at += hex ? 2 : 0;; at++) {
    unsigned digit = *at >= '0' && *at <= '9'          ? (unsigned)(*at - '0')
                     : hex && *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a' + 10)
                                                       : 99;
    if (digit == 99) break;
    value = value * (hex ? 16 : 10) + digit;
  }
  *text = at;
  return value;
}

TM_GATE_CODE_END
#endif
