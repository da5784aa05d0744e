#ifdef __linux__
#include "ground/base.h"
#include "ground/fork_mark.h"
#include "ground/pool.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static const uint32_t here = 1;
const uint32_t *tm_fork_mark = &here;

/* A kernel that knows no such memory (before Linux 4.14) leaves the mark as it is. */
void tm_fork_mark_prepare(void) {
  enum { PAGE = 4096 };
  uint32_t *mark = tm_map(PAGE);
  if (!mark) return;
  if (syscall(SYS_madvise, mark, (size_t)PAGE, MADV_WIPEONFORK) != 0) {
    tm_unmap(mark, PAGE);
    return;
  }
  *mark = here;
  tm_fork_mark = mark;
}

bool tm_copies_stay_watched, tm_is_watched_copy;

void tm_fork_mark_renew(void) {
  tm_is_watched_copy = true;
  if (tm_fork_mark != &here) *(uint32_t *)tm_fork_mark = here;
}

TM_GATE_CODE_END
#endif
