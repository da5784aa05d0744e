/* The entry points of Thread Sanitizer's runtime; absent (NULL) if it is not linked in. */
#ifndef TM_TSAN_H
#define TM_TSAN_H
#include "ground/base.h"
#include <stdbool.h>
#include <stdint.h>
extern void __tsan_ignore_thread_begin(void) __attribute__((weak));
extern void __tsan_ignore_thread_end(void) __attribute__((weak));
extern void AnnotateIgnoreSyncBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreSyncEnd(const char *file, int line) __attribute__((weak));
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
/* Calls these functions after each allocation, and before each deallocation. Returns 0 if there are
 * too many, or one is NULL. */
extern int __sanitizer_install_malloc_and_free_hooks(
    void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *))
    __attribute__((weak));
/* Pushes a place on the stack that TSan keeps for the thread; pops the top. */
extern void __tsan_func_entry(void *place) __attribute__((weak));
extern void __tsan_func_exit(void) __attribute__((weak));

/* Fibres: states of TSan's that a thread can take on in turn. Each has a clock and a stack of its
 * own. */
enum { TM_TSAN_NO_SYNC = 1 };
extern void *__tsan_get_current_fiber(void) __attribute__((weak));
extern void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
extern void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));
extern void __tsan_set_fiber_name(void *fiber, const char *name) __attribute__((weak));
/* `order`: 2 acquires, 3 releases. A store that releases forgets what was released before. Each
 * call also runs the signal handlers that TSan has put off. */
extern uint64_t __tsan_atomic64_load(const volatile uint64_t *, int order) __attribute__((weak));
extern void __tsan_atomic64_store(volatile uint64_t *, uint64_t, int order) __attribute__((weak));
extern void __tsan_write8(void *) __attribute__((weak));
/* `__tsan::MemoryResetRange`: forgets all accesses to the memory. `state` is the current one. */
extern void tm_tsan_forget(void *state, uintptr_t place, uintptr_t start, uintptr_t size) __asm__(
    "_ZN6__tsan16MemoryResetRangeEPNS_11ThreadStateEmmm") __attribute__((weak));

/* TSan's own functions for reading a report, valid only in `__tsan::OnReport` and while that report
 * is under way. TSan fills each trace with return addresses, innermost first, without an end
 * mark. */
extern int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks,
                                  int *accesses, int *locations, int *mutexes, int *threads,
                                  int *unique_threads, void **sleep, unsigned long limit)
    __attribute__((weak));
extern int __tsan_get_report_mop(void *report, unsigned long index, int *thread, void **address,
                                 int *size, int *write, int *atomic, void **trace,
                                 unsigned long limit) __attribute__((weak));
extern int __tsan_get_report_loc(void *report, unsigned long index, const char **type,
                                 void **address, unsigned long *start, unsigned long *size,
                                 int *thread, int *file, int *suppressable, void **trace,
                                 unsigned long limit) __attribute__((weak));
extern int __tsan_get_report_mutex(void *report, unsigned long index, unsigned long *id,
                                   void **address, int *destroyed, void **trace,
                                   unsigned long limit) __attribute__((weak));
extern int __tsan_get_report_thread(void *report, unsigned long index, int *thread,
                                    unsigned long long *task, int *running, const char **name,
                                    int *parent, void **trace, unsigned long limit)
    __attribute__((weak));
/* The report that this thread writes, with TSan's locks held: whoever waits here can wait for
 * ever. */
extern void *__tsan_get_current_report(void) __attribute__((weak));
TM_INLINE bool tm_tsan_reports(void) {
  return __tsan_get_current_report && __tsan_get_current_report();
}
/* "heap", "stack", "tls" or "global"; of a global also the name and where it begins. Takes TSan's
 * locks: not while a report is under way. */
extern const char *__tsan_locate_address(unsigned long address, char *name, unsigned long size,
                                         unsigned long *start, unsigned long *length)
    __attribute__((weak));

/* Edges of synchronisation that really is there, and that TSan cannot see because it is made in a
 * library that is not instrumented. The address has to be that of the very object that passes the
 * edge on, in memory that TSan sees being freed: TSan then forgets the edges at that address. */
TM_INLINE bool tm_is_tsan(void) { return TM_UNLIKELY(__tsan_acquire != NULL); }
TM_INLINE void tm_tsan_acquire(const void *object) {
  if (tm_is_tsan() && object) __tsan_acquire((void *)(uintptr_t)object);
}
TM_INLINE void tm_tsan_release(const void *object) {
  if (tm_is_tsan() && object) __tsan_release((void *)(uintptr_t)object);
}
#endif
