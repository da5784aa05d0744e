#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "threadmill_unwind.h"
#include <dlfcn.h>
#include <stddef.h>
#include <ucontext.h>

#if defined(__linux__)
#include <link.h>
#endif

#if defined(__linux__) && __has_include(<libunwind.h>)
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), \
                             apply_to = function)

#if defined(__linux__) && __has_include(<libunwind.h>)

/* libunwind's functions have the target in their names: `unw_step` is a macro for
 * `_ULx86_64_step`. */
#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)

static struct {
  int (*begin)(unw_cursor_t *, unw_context_t *, int);
  int (*step)(unw_cursor_t *);
  int (*reg)(unw_cursor_t *, unw_regnum_t, unw_word_t *);
  bool ready;
} library;

/* libunwind looks for the image of each address with `dl_iterate_phdr`, which takes a lock of the
 * dynamic linker's. A stack may be wanted while the program's locks are held, and a visitor of the
 * program's own may wait for one of them. So libunwind calls `visit` instead. Walks that are not
 * ours get what they got before. */
static tm_unwind_images images;
static _Thread_local bool walking __attribute__((tls_model("initial-exec")));
static uintptr_t first_wanted; /* written before there are other walks */

typedef int (*image_visitor)(struct dl_phdr_info *, size_t, void *);

/* The first word of what libunwind hands to its visitor is the address. */
static int visit(image_visitor visitor, void *context) {
  if (!walking) return dl_iterate_phdr(visitor, context);
  uintptr_t wanted = *(const uintptr_t *)context;
  if (!first_wanted) first_wanted = wanted;
  return images(wanted, visitor, context);
}

/* Newer versions take the function by a call. In older ones the place is changed that has its
 * address. */
static void set_visits(void *libunwind, tm_unwind_replace replace,
                       int (*function)(image_visitor, void *)) {
  typedef void (*setter)(void *space, int (*)(image_visitor, void *));
  setter set = (setter)dlsym(libunwind, NAME_OF(UNW_OBJ(set_iterate_phdr_function)));
  void **space = dlsym(libunwind, NAME_OF(UNW_OBJ(local_addr_space)));
  if (set && space) set(*space, function);
  else replace((uintptr_t)library.step, "dl_iterate_phdr", (void *)function);
}

/* A walk of this function's own stack shows whether libunwind does as described. If not, everything
 * stays as it was. */
static void replace_visits(void *libunwind, tm_unwind_replace replace) {
  uintptr_t own[2];
  set_visits(libunwind, replace, visit);
  bool walked = tm_unwind_here(own, NULL, 2) == 2;
  if (!walked || own[0] - first_wanted > 1) set_visits(libunwind, replace, dl_iterate_phdr);
}

tm_unwind_state tm_unwind_prepare(tm_unwind_images without_lock, tm_unwind_replace replace) {
  if (library.ready) return TM_UNWIND_READY;
  void *handle = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return TM_UNWIND_NO_LIBRARY;
  library.begin =
      (int (*)(unw_cursor_t *, unw_context_t *, int))dlsym(handle, NAME_OF(unw_init_local2));
  library.step = (int (*)(unw_cursor_t *))dlsym(handle, NAME_OF(unw_step));
  library.reg =
      (int (*)(unw_cursor_t *, unw_regnum_t, unw_word_t *))dlsym(handle, NAME_OF(unw_get_reg));
  library.ready = library.begin && library.step && library.reg;
  if (!library.ready) return TM_UNWIND_NO_LIBRARY;
  images = without_lock;
  replace_visits(handle, replace);
  return TM_UNWIND_READY;
}

/* Returns where the return address lies that led to this frame: a call pushes it, and is over when
 * it is off the stack again. 0 if it may have been in a register. */
static uintptr_t place_of_address(unw_cursor_t *cursor, uint32_t number) {
#if defined(__x86_64__)
  unw_word_t top = 0;
  if (number > 0 && library.reg(cursor, UNW_REG_SP, &top) >= 0)
    return (uintptr_t)top - sizeof(uintptr_t);
#endif
  return (void)cursor, (void)number, 0;
}

static uint32_t walk(unw_context_t *context, int flags, uintptr_t *addresses, uintptr_t *places,
                     uint32_t limit) {
  unw_cursor_t cursor;
  uint32_t count = 0;
  if (!library.ready || library.begin(&cursor, context, flags) < 0) return 0;
  bool before = walking; /* a signal handler may walk in the middle of a walk */
  walking = true;
  do {
    unw_word_t address = 0;
    if (library.reg(&cursor, UNW_REG_IP, &address) < 0 || address == 0) break;
    if (places) places[count] = place_of_address(&cursor, count);
    addresses[count++] = (uintptr_t)address;
  } while (count < limit && library.step(&cursor) > 0);
  walking = before;
  return count;
}

/* Not `unw_backtrace`, which sets up 256 KiB of memory for each thread that asks, and so costs it
 * half a millisecond before it is any faster. */
uint32_t tm_unwind_here(uintptr_t *addresses, uintptr_t *places, uint32_t limit) {
  ucontext_t context;
  return getcontext(&context) == 0 ? walk(&context, 0, addresses, places, limit) : 0;
}

uint32_t tm_unwind_context_stack(void *ucontext, uintptr_t *addresses, uint32_t limit) {
  return walk(ucontext, UNW_INIT_SIGNAL_FRAME, addresses, NULL, limit);
}

#else

tm_unwind_state tm_unwind_prepare(tm_unwind_images without_lock, tm_unwind_replace replace) {
  return (void)without_lock, (void)replace, TM_UNWIND_NO_HEADER;
}
uint32_t tm_unwind_here(uintptr_t *addresses, uintptr_t *places, uint32_t limit) {
  return (void)addresses, (void)places, (void)limit, 0;
}
uint32_t tm_unwind_context_stack(void *ucontext, uintptr_t *addresses, uint32_t limit) {
  return (void)ucontext, (void)addresses, (void)limit, 0;
}

#endif
#pragma clang attribute pop
