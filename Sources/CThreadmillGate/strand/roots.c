#ifdef __linux__
#include "ground/base.h"
#include "strand/roots.h"
#include <limits.h>
#include <link.h>
#include <pthread.h>

TM_GATE_CODE_BEGIN

/* Only the first keys of thread-specific data are read: the C library gives out the lowest free
 * key, and few programs have more keys. Few have more thread-local variables, too. */
enum { KEYS = 128, VARIABLES = 4096 };

static size_t own_variables(void) {
  extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));
  if (!&__ehdr_start) return 0;
  const ElfW(Phdr) *headers = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
  for (int i = 0; i < __ehdr_start.e_phnum; i++)
    if (headers[i].p_type == PT_TLS)
      return (headers[i].p_memsz + headers[i].p_align - 1) & ~(headers[i].p_align - 1);
  return 0;
}

/* The thread-local variables of the program itself lie just below the thread pointer, or just above
 * its two words on other processors. */
static const uintptr_t *own_variables_start(size_t size) {
  const char *pointer = __builtin_thread_pointer();
#ifdef __x86_64__
  return (const uintptr_t *)(pointer - size);
#else
  return (void)size, (const uintptr_t *)(pointer + 2 * sizeof(void *));
#endif
}

static void add_root(tm_roots *roots, uintptr_t word) {
  if (!tm_may_be_block(word)) return;
  if (roots->count < TM_ROOTS) roots->words[roots->count++] = word;
  else roots->more = true;
}

void tm_roots_take(tm_roots *roots) {
  roots->count = 0;
  roots->more = false;
  for (pthread_key_t key = 0; key < KEYS; key++)
    add_root(roots, (uintptr_t)pthread_getspecific(key));
  size_t size = own_variables(), count = size / sizeof(uintptr_t);
  const uintptr_t *words = own_variables_start(size);
  if (count > VARIABLES) roots->more = true;
  for (size_t i = 0; i < count && i < VARIABLES; i++) add_root(roots, words[i]);
}

bool tm_roots_are_all(const tm_roots *roots) {
  for (pthread_key_t key = KEYS; key < PTHREAD_KEYS_MAX; key++)
    if (pthread_getspecific(key)) return false;
  return !roots->more;
}

TM_GATE_CODE_END
#endif
