#ifdef __linux__
#include "ground/base.h"
#include "code/replacement.h"
#include "code/caller.h"
#include "code/jump.h"
#include "code/own_variables.h"
#include "ground/images.h"
#include "ground/kernel.h"
#include "ground/text.h"
#include "ground/tsan.h"
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* An image in memory, and its file. */
typedef struct image {
  const struct dl_phdr_info *info;
  const char *file;
  size_t size;
} image;

typedef struct work {
  const char *library;
  const tm_replacements *replacements; /* NULL: only asks whether the library is needed */
  uint32_t unchanged;
  bool needed;
} work;

/* Returns the dynamic section's text at this offset. */
static const char *text_of(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic, size_t at) {
  uintptr_t texts = 0;
  for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) texts = d->d_un.d_ptr;
  return (const char *)tm_image_place(info, texts) + at;
}

static bool needs(const struct dl_phdr_info *info, const char *library) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
      if (d->d_tag == DT_NEEDED && tm_text_is(text_of(info, dynamic, d->d_un.d_val), library))
        return true;
  }
  return false;
}

static bool is_users(const struct dl_phdr_info *info) {
  uintptr_t code = tm_image_code(info);
  return code && tm_caller_find(code) == TM_CALLER_USER;
}

/* Returns whether the image is a library that has this code, one that is preloaded: the gate's own
 * use of the functions is nothing that a program could miss. */
static bool is_gates_library(const struct dl_phdr_info *info) {
  return info->dlpi_name[0] && tm_image_has(info, (uintptr_t)tm_replace);
}

/* The gate is in a program that is linked with it: then the marker is no other image's. */
static bool is_marked(const struct dl_phdr_info *info, const char *marker) {
  return tm_slots_have(info, marker) || tm_image_has(info, (uintptr_t)tm_replace);
}

static bool open_file(image *i) {
  const char *path = i->info->dlpi_name[0] ? i->info->dlpi_name : "/proc/self/exe";
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  i->size = (size_t)syscall(SYS_lseek, file, 0l, SEEK_END);
  i->file = (const char *)syscall(SYS_mmap, NULL, i->size, PROT_READ, MAP_PRIVATE, file, 0l);
  syscall(SYS_close, file);
  return (uintptr_t)i->file < (uintptr_t)-4096;
}

/* Returns the part of the file; NULL if the file is too short. */
static const void *part_of(const image *i, uint64_t at, uint64_t size) {
  return at <= i->size && size <= i->size - at ? i->file + at : NULL;
}

/* Returns whether the file is the one that was loaded: it has the same program headers. */
static bool is_loaded(const image *i) {
  const ElfW(Ehdr) *h = part_of(i, 0, sizeof *h);
  size_t size = i->info->dlpi_phnum * sizeof(ElfW(Phdr));
  if (!h || h->e_phnum != i->info->dlpi_phnum) return false;
  const void *headers = part_of(i, h->e_phoff, size);
  return headers && tm_same(headers, i->info->dlpi_phdr, size);
}

static const ElfW(Shdr) * section_of(const image *i, uint32_t number) {
  const ElfW(Ehdr) *h = (const void *)i->file;
  return number < h->e_shnum ? part_of(i, h->e_shoff + number * sizeof(ElfW(Shdr)),
                                       sizeof(ElfW(Shdr)))
                             : NULL;
}

static const ElfW(Shdr) * symbols_of(const image *i) {
  const ElfW(Ehdr) *h = (const void *)i->file;
  for (uint32_t n = 0; n < h->e_shnum; n++) {
    const ElfW(Shdr) *s = section_of(i, n);
    if (s && s->sh_type == SHT_SYMTAB) return s;
  }
  return NULL;
}

/* Returns whether the memory at the function has the code that the file has. */
static bool is_as_in_file(const image *i, const char *entry) {
  for (int n = 0; n < i->info->dlpi_phnum; n++) {
    const ElfW(Phdr) *h = &i->info->dlpi_phdr[n];
    uint64_t at = (uintptr_t)entry - i->info->dlpi_addr - h->p_vaddr;
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || at >= h->p_filesz) continue;
    const void *there = part_of(i, h->p_offset + at, TM_JUMP_SIZE);
    return there && tm_same(there, entry, TM_JUMP_SIZE);
  }
  return false;
}

/* Returns whether the text before `end` is this name. */
static bool is_named(const char *text, const char *end, const char *name) {
  size_t length = tm_text_length(name) + 1;
  return length <= (size_t)(end - text) && tm_same(text, name, length);
}

static const tm_replacement *replacement_of(const work *w, const char *name, const char *end) {
  const tm_replacements *all = w->replacements;
  for (uint32_t i = 0; i < all->count; i++)
    if (is_named(name, end, all->locals[i].name)) return &all->locals[i];
  return NULL;
}

/* The numbers of functions replaced and of variables noted in an image. */
typedef struct found {
  uint32_t replaced, variables;
} found;

static void visit_symbol(const image *i, const work *w, const ElfW(Sym) * s, const char *name,
                         const char *end, found *f) {
  enum { KIND = 0xf };
  char *entry = (char *)i->info->dlpi_addr + s->st_value;
  const tm_replacement *r = NULL;
  if ((s->st_info & KIND) == STT_TLS && is_named(name, end, w->replacements->variable))
    f->variables += tm_own_variable_add(i->info, s->st_value);
  else if ((s->st_info & KIND) == STT_FUNC && s->st_size >= TM_JUMP_SIZE)
    r = replacement_of(w, name, end);
  if (r && is_as_in_file(i, entry)) f->replaced += tm_jump_write(entry, r->by);
}

static void visit_symbols(const image *i, const work *w, found *f) {
  const ElfW(Shdr) *symbols = symbols_of(i), *texts = symbols ? section_of(i, symbols->sh_link) : 0;
  const ElfW(Sym) *s = texts ? part_of(i, symbols->sh_offset, symbols->sh_size) : NULL;
  const char *names = texts ? part_of(i, texts->sh_offset, texts->sh_size) : NULL;
  if (!s || !names) return;
  for (const ElfW(Sym) *end = s + symbols->sh_size / sizeof *s; s < end; s++)
    if (s->st_shndx != SHN_UNDEF && s->st_name < texts->sh_size)
      visit_symbol(i, w, s, names + s->st_name, names + texts->sh_size, f);
}

/* Returns whether any function was replaced. */
static bool replace_in(const struct dl_phdr_info *info, const work *w) {
  image i = {info, NULL, 0};
  found f = {0, 0};
  if (!open_file(&i)) return false;
  if (is_loaded(&i)) visit_symbols(&i, w, &f);
  syscall(SYS_munmap, i.file, i.size);
  bool inner = f.variables > 0 && tm_slots_change(info, w->replacements->inner) > 0;
  return f.replaced > 0 || inner;
}

static int visit_bound(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  work *w = context;
  if (!is_users(info) || is_gates_library(info) || !needs(info, w->library)) return 0;
  w->needed = true;
  if (w->replacements && is_marked(info, w->replacements->marker))
    w->unchanged += !replace_in(info, w);
  return 0;
}

uint32_t tm_replace(const char *library, const tm_replacements *replacements) {
  work w = {.library = library, .replacements = replacements};
  /* Thread Sanitizer's own thread runs none of these functions. */
  if (!tm_can_jump() || !(tm_is_tsan() || tm_task_is_alone())) return 1;
  dl_iterate_phdr(visit_bound, &w);
  return w.unchanged;
}

bool tm_is_needed(const char *library) {
  work w = {.library = library};
  dl_iterate_phdr(visit_bound, &w);
  return w.needed;
}

TM_GATE_CODE_END
#endif
