/* The entry points of Thread Sanitizer's runtime; absent (NULL) where it is not linked in. */
#ifndef TM_TSAN_H
#define TM_TSAN_H
extern void __tsan_ignore_thread_begin(void) __attribute__((weak));
extern void __tsan_ignore_thread_end(void) __attribute__((weak));
extern void AnnotateIgnoreSyncBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreSyncEnd(const char *file, int line) __attribute__((weak));
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
extern int __tsan_get_report_data(void *, const char **, int *, int *, int *, int *, int *, int *,
                                  int *, int *, void **, unsigned long) __attribute__((weak));
#endif
