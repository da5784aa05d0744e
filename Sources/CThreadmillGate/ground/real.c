#ifdef __linux__
#include "ground/base.h"
#include "ground/asan.h"
#include "ground/real.h"
#include "ground/mutex_word.h"
#include "ground/text.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DECLARE_INTERCEPTOR(name) extern char ___interceptor_##name[] __attribute__((weak));
TM_FUNCTIONS(DECLARE_INTERCEPTOR)

TM_GATE_CODE_BEGIN

/* The gate's own parts of a call are there from the first. */
struct tm_real tm_real = {.tm_word_take = (void *)tm_word_take,
                          .tm_word_try = (void *)tm_word_try,
                          .tm_word_give = (void *)tm_word_give};
void *tm_real_creation;

typedef enum chain { CHAIN_INTERCEPTOR, CHAIN_LIBC, CHAIN_NEXT } chain;

static chain choose_chain(void) {
  Dl_info us, them;
  const void *tsan = (void *)__tsan_get_report_data, *any = tsan ? tsan : (void *)__asan_init;
  if (!any) return CHAIN_NEXT;
  bool together =
      dladdr((void *)&tm_real, &us) && dladdr(any, &them) && us.dli_fbase == them.dli_fbase;
  if (together) return CHAIN_INTERCEPTOR;
  return tsan ? CHAIN_LIBC : CHAIN_NEXT;
}

static void *next_of(chain how, void *libc, const char *name, void *interceptor) {
  if (how == CHAIN_INTERCEPTOR && interceptor) return interceptor;
  void *found = how == CHAIN_LIBC ? dlsym(libc, name) : NULL;
  return found ? found : dlsym(RTLD_NEXT, name);
}

/* A function of `tm_real`, as a row of a table: a call for each would be a third of this floor. */
typedef struct row {
  const char *name;
  size_t field;
  void *interceptor;
} row;

#define ROW(its_field, its_name) {its_name, offsetof(struct tm_real, its_field), NULL},
#define NAMED_ROW(name) ROW(name, #name)
#define CHAIN_ROW(name) {#name, offsetof(struct tm_real, name), ___interceptor_##name},

static const row in_chain[] = {TM_FUNCTIONS(CHAIN_ROW)};

/* clang-format off */
static const row next_ones[] = {
  TM_PLAIN_FUNCTIONS(NAMED_ROW)
  TM_CANCELLING_FUNCTIONS(ROW)
  TM_ASKING_FUNCTIONS(ROW)
  TM_STREAM_FUNCTIONS(ROW)
  ROW(mutex_lock_slow, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF")
  ROW(mutex_try_lock_slow, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF")
  ROW(mutex_unlock_slow, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF")
  ROW(checked_resume, "$sScC6resume9returningyxn_tF")
  ROW(checked_resume_throwing, "$sScC6resume8throwingyq_n_tF")
  ROW(task_cancel, TM_TASK_CANCEL)
  ROW(own_check, TM_OWN_CHECK)
  ROW(lazy_load, TM_LAZY_LOAD)
  ROW(lazy_store, TM_LAZY_STORE)
  ROW(with_cancellation_handler, TM_WITH_CANCELLATION_HANDLER)
  ROW(clock, "clock_gettime")
};

static const row anywhere[] = {
  TM_HELPERS(NAMED_ROW)
  ROW(thread_quality, "$s10Foundation6ThreadC16qualityOfServiceAA07QualitydE0Ovg")
  ROW(int_metadata, "$sSiN")
  ROW(dispatch_concurrent_attribute, "_dispatch_queue_attr_concurrent")
};
/* clang-format on */

static void set(const row *row, void *found) {
  *(void **)((char *)&tm_real + row->field) = found;
}

#define FOR_EACH_ROW(row, rows) \
  for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)

static void *libc_in(chain how) {
  return how == CHAIN_LIBC ? dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

void tm_real_resolve(void) {
  chain how = choose_chain();
  void *libc = libc_in(how);
  FOR_EACH_ROW(row, in_chain) set(row, next_of(how, libc, row->name, row->interceptor));
  FOR_EACH_ROW(row, next_ones) set(row, dlsym(RTLD_NEXT, row->name));
  FOR_EACH_ROW(row, anywhere) set(row, dlsym(RTLD_DEFAULT, row->name));
  if (tm_real_creation) tm_real.pthread_create = tm_real_creation;
}

struct tm_strand_real tm_strand_real;

void tm_strand_real_resolve(void) {
  void *libdispatch = dlopen("libdispatch.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!libdispatch) return;
#define RESOLVE_STRAND(name) tm_strand_real.name = dlsym(libdispatch, #name);
  TM_STRAND_FUNCTIONS(RESOLVE_STRAND)
}

/* Looks up one function. A call that comes before the others are looked up may come from within the
 * program's allocator, and a look-up that finds nothing allocates. */
static void resolve_one(void **field) {
  size_t place = (uintptr_t)field - (uintptr_t)&tm_real;
  chain how = choose_chain();
  FOR_EACH_ROW(row, in_chain)
    if (row->field == place) set(row, next_of(how, libc_in(how), row->name, row->interceptor));
  FOR_EACH_ROW(row, next_ones)
    if (row->field == place) set(row, dlsym(RTLD_NEXT, row->name));
}

void *tm_real_demand(void **field, const char *name) {
  resolve_one(field);
  if (*field) return *field;
  static const char before[] = "Threadmill internal error: no real function behind ";
  static const char after[] = "; please report this with the name of your system\n";
  /* The gate's own `write` would come here again. */
  syscall(SYS_write, 2, before, sizeof before - 1);
  syscall(SYS_write, 2, name, tm_text_length(name));
  syscall(SYS_write, 2, after, sizeof after - 1);
  _exit(3);
}

/* Every copy of the gate carries this note; the first image in link order that has it is in charge.
 * A note is found without any symbol being exported. */
__asm__(".pushsection .note.threadmill, \"a\", %note\n.balign 4\n.long 11, 4, 1\n.asciz "
        "\"Threadmill\"\n.balign 4\n"
        ".long 1\n.popsection\n");

typedef struct search {
  const void *first;
} search;

static bool has_note(const ElfW(Phdr) * header, const char *data) {
  for (size_t at = 0; at + 12 <= header->p_memsz;) {
    const uint32_t *note = (const uint32_t *)(data + at);
    if (note[0] == 11 && tm_text_is((const char *)(note + 3), "Threadmill")) return true;
    at += 12 + ((note[0] + 3) & ~3u) + ((note[1] + 3) & ~3u);
  }
  return false;
}

static int find_note(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const char *data = (const char *)info->dlpi_addr + header->p_vaddr;
    if (header->p_type != PT_NOTE || header->p_align == 8 || !has_note(header, data)) continue;
    ((search *)context)->first = (const void *)data;
    return 1;
  }
  return 0;
}

bool tm_is_primary(void) {
  search s = {0};
  Dl_info us, note;
  if (!dl_iterate_phdr(find_note, &s)) return true;
  return dladdr((void *)&tm_real, &us) && dladdr(s.first, &note) && us.dli_fbase == note.dli_fbase;
}

bool tm_has_thread_sanitizer(void) { return __tsan_get_report_data != NULL; }

/* Prefers the demangler for backtraces, which knows C++ as well, but is no public function of the
 * library. */
char *tm_demangle(const char *name) {
  typedef char *(*backtrace_demangle)(const char *, size_t, char *, size_t *);
  backtrace_demangle both = TM_HELPER(backtrace_demangle, _swift_backtrace_demangle);
  size_t room = 0;
  return both ? both(name, tm_text_length(name), NULL, &room) : tm_demangle_whole(name);
}

char *tm_demangle_whole(const char *name) {
  char *(*demangle)(const char *, size_t, char *, size_t *, uint32_t) =
      TM_HELPER(char *(*)(const char *, size_t, char *, size_t *, uint32_t), swift_demangle);
  return demangle ? demangle(name, tm_text_length(name), NULL, NULL, 0) : NULL;
}

bool tm_is_thunk(const char *name) {
  bool (*is_thunk)(const char *) =
      TM_HELPER(bool (*)(const char *), _swift_backtrace_isThunkFunction);
  return is_thunk && is_thunk(name);
}

TM_GATE_CODE_END
#endif
