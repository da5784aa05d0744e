#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "foreign_mutex.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF __attribute__((swift_context)) void *
static __attribute__((swiftcall)) void (*lock_slow)(uint32_t, SELF);
static __attribute__((swiftcall)) void (*unlock_slow)(SELF);

bool foreign_prepare(void) {
  void *library = dlopen("libswiftSynchronization.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  lock_slow = dlsym(library, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  unlock_slow = dlsym(library, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  return lock_slow && unlock_slow;
}

static uint32_t own_number(void) {
  static _Thread_local uint32_t number;
  if (!number) number = (uint32_t)syscall(SYS_gettid);
  return number;
}

void foreign_lock(uint32_t *word) {
  uint32_t seen = 0, number = own_number();
  if (!__atomic_compare_exchange_n(word, &seen, number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    lock_slow(number, word);
}

void foreign_unlock(uint32_t *word) {
  uint32_t seen = own_number();
  if (!__atomic_compare_exchange_n(word, &seen, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    unlock_slow(word);
}

uint32_t foreign_look(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

int foreign_fork(void) { return fork(); }

/* The number of a process that glibc does not know as a child of its `fork`. It ends at once: under
 * Thread Sanitizer, `_exit` writes what stands in the buffer of standard output. */
static bool is_numbered_in_child(void) {
  int child = _Fork(), status = -1;
  if (child == 0) syscall(SYS_exit_group, syscall(SYS_gettid) == getpid() ? 0 : 1);
  return waitpid(child, &status, 0) == child && status == 0;
}

/* The sixth argument of a system call is the seventh of `syscall`, on the stack. */
static bool maps_from_second_page(void) {
  long page = sysconf(_SC_PAGESIZE), file = syscall(SYS_memfd_create, "calls", 0);
  const char wanted = 'b';
  if (file < 0 || pwrite((int)file, &wanted, 1, page) != 1) return false;
  const char *found =
      (const char *)syscall(SYS_mmap, NULL, page, PROT_READ, MAP_PRIVATE, file, page);
  bool same = found != MAP_FAILED && *found == wanted;
  close((int)file);
  return same;
}

int foreign_calls(void) {
  bool numbered = syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid();
  bool refused = syscall(SYS_close, -1) == -1 && errno == EBADF;
  return !numbered + !refused + !is_numbered_in_child() + !maps_from_second_page();
}

/* A lock of the program's own, compiled to the instructions of a Mutex's lock. */
static _Thread_local int number;
static int owner;

__attribute__((noinline)) static bool take_own(void) {
  if (!number) number = (int)syscall(SYS_gettid);
  int free = 0;
  return __atomic_compare_exchange_n(&owner, &free, number, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

__attribute__((noinline)) static void note(int *place) { *place = (int)syscall(SYS_gettid); }

static int noted;

bool foreign_takes_own(void) {
  static _Thread_local int own;
  note(&own);
  note(&noted);
  return take_own() && owner == gettid();
}

bool foreign_has_own(void) { return number == gettid() && noted == gettid() && owner == number; }
