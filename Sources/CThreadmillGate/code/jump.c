#ifdef __linux__
#include "ground/base.h"
#include "code/jump.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

#if defined(__x86_64__)
/* A jump to a function that is far away takes more bytes than the shortest functions have. So it
 * lies on a page near the program, and a near jump leads to it. */
enum { NEAR_JUMP = 0xe9, JUMP_PAGE = 4096, LONG_JUMP_SIZE = 16, JUMP_PAGES = 8 };

/* Pages with long jumps, each for code that is near it. */
typedef struct jump_page {
  char *start;
  uint32_t used;
} jump_page;
static jump_page jump_pages[JUMP_PAGES];

static bool reaches(const void *entry, const void *jump, int32_t *distance) {
  intptr_t whole = (intptr_t)jump - (intptr_t)entry - TM_JUMP_SIZE;
  *distance = (int32_t)whole;
  return *distance == whole;
}

static char *map_near(uintptr_t address) {
  enum { STEP = 1 << 20, FARTHEST = 1 << 30 };
  for (intptr_t distance = STEP; distance < FARTHEST; distance += STEP)
    for (int side = -1; side <= 1; side += 2) {
      uintptr_t at = (address & ~(uintptr_t)(STEP - 1)) + (uintptr_t)(side * distance);
      long got = syscall(SYS_mmap, at, (size_t)JUMP_PAGE, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1l, 0l);
      if ((uintptr_t)got == at) return (char *)at;
      /* A kernel that does not know the flag takes the address for a wish. */
      if (got > 0) syscall(SYS_munmap, got, (size_t)JUMP_PAGE);
    }
  return NULL;
}

/* Returns a page with room that a near jump from the entry reaches; NULL if there is none. */
static jump_page *page_near(const void *entry) {
  for (jump_page *p = jump_pages; p < jump_pages + JUMP_PAGES; p++) {
    int32_t distance;
    if (!p->start) p->start = map_near((uintptr_t)entry);
    if (!p->start) return NULL;
    if (p->used < JUMP_PAGE && reaches(entry, p->start, &distance)) return p;
  }
  return NULL;
}

static bool protect(void *code, size_t size, int protection) {
  uintptr_t first = (uintptr_t)code & ~(uintptr_t)(JUMP_PAGE - 1);
  return syscall(SYS_mprotect, first, (uintptr_t)code + size - first, protection) == 0;
}

/* `jmp *0(%rip)`, and the address. */
static char *make_long_jump(const void *entry, void (*to)(void)) {
  static const unsigned char code[] = {0xff, 0x25, 0, 0, 0, 0};
  jump_page *p = page_near(entry);
  if (!p || !protect(p->start, JUMP_PAGE, PROT_READ | PROT_WRITE)) return NULL;
  char *made = p->start + p->used;
  p->used += LONG_JUMP_SIZE;
  tm_copy(made, code, sizeof code);
  tm_copy(made + sizeof code, &to, sizeof to);
  return protect(p->start, JUMP_PAGE, PROT_READ | PROT_EXEC) ? made : NULL;
}

bool tm_jump_write(void *entry, void (*to)(void)) {
  char *code = entry, *far = make_long_jump(entry, to);
  int32_t distance;
  if (!far || !reaches(entry, far, &distance)) return false;
  if (!protect(entry, TM_JUMP_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
  code[0] = (char)NEAR_JUMP;
  tm_copy(code + 1, &distance, sizeof distance);
  protect(entry, TM_JUMP_SIZE, PROT_READ | PROT_EXEC);
  return true;
}

bool tm_can_jump(void) { return true; }

bool tm_jumps_to(const void *entry, const void *to) {
  const char *code = entry;
  int32_t distance;
  if (code[0] != (char)NEAR_JUMP) return false;
  tm_copy(&distance, code + 1, sizeof distance);
  return code + TM_JUMP_SIZE + distance == (const char *)to;
}
#else
bool tm_jump_write(void *entry, void (*to)(void)) {
  (void)entry, (void)to;
  return false;
}

bool tm_can_jump(void) { return false; }

bool tm_jumps_to(const void *entry, const void *to) {
  (void)entry, (void)to;
  return false;
}
#endif

TM_GATE_CODE_END
#endif
