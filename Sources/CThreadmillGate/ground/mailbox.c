#ifdef __linux__
#include "ground/base.h"
#include "ground/mailbox.h"
#include "ground/kernel.h"
#include "threadmill_gate.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The file has holes, and a write to a hole through the mapping is a SIGBUS if the disk is full. So
 * the kernel writes (`tm_poke`), and returns an error. Only the reservation of room is an atomic
 * operation on the memory, right after the kernel has written to its page. */

static tm_mailbox_header *mailbox;
static uint64_t size;

bool tm_mailbox_open(const char *path) {
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  long length = syscall(SYS_lseek, file, 0l, SEEK_END), map = -1;
  if (length >= (long)sizeof(tm_mailbox_header))
    map = syscall(SYS_mmap, NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0l);
  syscall(SYS_close, file);
  if (map == -1) return false;
  uint64_t mark = 0;
  if (!tm_peek((void *)map, &mark, sizeof mark) || mark != TM_MAILBOX_MARK) {
    syscall(SYS_munmap, map, length);
    return false;
  }
  mailbox = (tm_mailbox_header *)map;
  size = (uint64_t)length;
  return true;
}

/* Returns whether the header can be written to now. */
static bool is_writable(void) {
  static const uint64_t nothing;
  return mailbox && tm_poke(&mailbox->unused, &nothing, sizeof nothing);
}

bool tm_mailbox_put(const void *bytes, uint64_t length) {
  static const uint64_t complete = 1;
  if (!is_writable()) return false;
  uint64_t whole = sizeof(tm_mailbox_letter) + ((length + 7) & ~7ull);
  uint64_t place = atomic_load(&mailbox->taken);
  do {
    if (place > size || whole > size - place) {
      atomic_fetch_add(&mailbox->refused, 1);
      return false;
    }
  } while (!atomic_compare_exchange_weak(&mailbox->taken, &place, place + whole));
  tm_mailbox_letter *letter = (tm_mailbox_letter *)((char *)mailbox + place);
  return tm_poke(&letter->length, &length, sizeof length) && tm_poke(letter + 1, bytes, length) &&
         tm_poke(&letter->is_complete, &complete, sizeof complete);
}

TM_GATE_CODE_END
#endif
