/* A process that gives up system calls. The gate makes calls of its own, and the kernel ends the
 * process for a call that is not allowed. What is allowed is not known, so watching ends before. A
 * filter that is installed by seccomp(2) itself, which has no function in libc, is not seen. */
#ifdef __linux__
#include "ground/base.h"
#include "ground/real.h"
#include "process/end.h"
#include <stdarg.h>
#include <sys/prctl.h>

TM_GATE_CODE_BEGIN

TM_EXPORT int prctl(int option, ...) {
  unsigned long words[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; i++) words[i] = va_arg(rest, unsigned long);
  va_end(rest);
  if (option == PR_SET_SECCOMP) tm_end_watching();
  return TM_REAL(prctl)(option, words[0], words[1], words[2], words[3]);
}

TM_GATE_CODE_END
#endif
