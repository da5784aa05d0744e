/* The entry points of Address Sanitizer's runtime; absent (NULL) if it is not there. */
#ifndef TM_ASAN_H
#define TM_ASAN_H
#include "ground/base.h"
#include <stdbool.h>
extern void __asan_init(void) __attribute__((weak));
/* Leak Sanitizer's. It is part of Address Sanitizer, and can be there without it. */
extern void __lsan_do_leak_check(void) __attribute__((weak));

TM_INLINE bool tm_is_asan(void) { return TM_UNLIKELY(__asan_init != NULL); }
TM_INLINE bool tm_is_lsan(void) { return TM_UNLIKELY(__lsan_do_leak_check != NULL); }
#endif
