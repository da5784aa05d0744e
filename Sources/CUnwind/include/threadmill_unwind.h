/* Stacks through code without frame pointers.
 *
 * libunwind is compiled against when its header is there and loaded privately when it is first
 * wanted. Linking it would export `_Unwind_*` and `backtrace` into the whole process and change how
 * the user's exceptions unwind. */
#ifndef THREADMILL_UNWIND_H
#define THREADMILL_UNWIND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tm_unwind_state {
  TM_UNWIND_READY,
  TM_UNWIND_NO_HEADER,
  TM_UNWIND_NO_LIBRARY
} tm_unwind_state;

/* Calls the visitor for the loaded image that has the address. Returns what the visitor returns; 0
 * if there is none. Takes no lock of the dynamic linker's where the C library can do without. */
struct dl_phdr_info;
typedef int (*tm_unwind_images)(uintptr_t address,
                                int (*visitor)(struct dl_phdr_info *, size_t, void *),
                                void *context);

/* Lets the image that has the address call another function in place of the one with this name. */
typedef void (*tm_unwind_replace)(uintptr_t in_image, const char *name, void *function);

/* Loads the library once. Not for signal handlers. */
tm_unwind_state tm_unwind_prepare(tm_unwind_images, tm_unwind_replace);
/* The caller's own stack, innermost first, and where in memory each return address lies; 0 for an
 * address of which that is not known. Returns the number of addresses written; 0 without
 * libunwind. */
uint32_t tm_unwind_here(uintptr_t *addresses, uintptr_t *places, uint32_t limit);
/* The stack that a signal interrupted. Async-signal-safe once prepared. */
uint32_t tm_unwind_context_stack(void *ucontext, uintptr_t *addresses, uint32_t limit);
#endif
