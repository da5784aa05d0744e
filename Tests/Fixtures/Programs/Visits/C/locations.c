#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "threadmill_gate.h"
#include "visits.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

enum { IN_EACH_PART = 50 };
static unsigned asked, named, different;

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* To `dladdr` the program has the name by which it was started. */
static bool same_image(const char *ours, const char *theirs) {
  return same_text(ours[0] ? ours : program_invocation_name, theirs);
}

static void compare(uintptr_t address) {
  tm_location ours;
  Dl_info theirs;
  bool found = tm_locate(address, &ours), is_there = dladdr((void *)address, &theirs);
  asked++;
  if (!found && !is_there) return;
  uintptr_t start = is_there ? (uintptr_t)(theirs.dli_saddr ? theirs.dli_saddr : theirs.dli_fbase)
                             : 0;
  if (!found || !is_there || !same_text(ours.symbol, theirs.dli_sname) ||
      !same_image(ours.image, theirs.dli_fname) || ours.start != start) {
    different++;
    printf("%#lx: %s in %s, expected %s in %s\n", (unsigned long)address,
           found ? ours.symbol : "nothing", found ? ours.image : "",
           is_there ? theirs.dli_sname : "nothing", is_there ? theirs.dli_fname : "");
  }
  if (found && ours.symbol) named++;
}

static int compare_in(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || h->p_memsz == 0) continue;
    for (int step = 0; step <= IN_EACH_PART; step++)
      compare(info->dlpi_addr + h->p_vaddr + (h->p_memsz - 1) / IN_EACH_PART * (unsigned)step);
  }
  return 0;
}

void visits_locate(void) {
  compare(0), compare(1), compare(UINTPTR_MAX);
  dl_iterate_phdr(compare_in, NULL);
  printf("%s asked, %s named, %u different\n", asked > 1000 ? "over 1,000" : "too few",
         named > 300 ? "over 300" : "too few", different);
}
