#ifdef __linux__
#include "ground/base.h"
#include "ground/real.h"
#include "ground/mutex_word.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DECLARE_INTERCEPTOR(name) extern char ___interceptor_##name[] __attribute__((weak));
TM_FUNCTIONS(DECLARE_INTERCEPTOR)

TM_GATE_CODE_BEGIN

struct tm_real tm_real;

typedef enum chain { CHAIN_INTERCEPTOR, CHAIN_LIBC, CHAIN_NEXT } chain;

static chain choose_chain(void) {
  Dl_info us, them;
  if (!__tsan_get_report_data) return CHAIN_NEXT;
  bool together = dladdr((void *)&tm_real, &us) && dladdr((void *)__tsan_get_report_data, &them) &&
                  us.dli_fbase == them.dli_fbase;
  return together ? CHAIN_INTERCEPTOR : CHAIN_LIBC;
}

static void *next_of(chain how, void *libc, const char *name, void *interceptor) {
  if (how == CHAIN_INTERCEPTOR && interceptor) return interceptor;
  void *found = how == CHAIN_LIBC ? dlsym(libc, name) : NULL;
  return found ? found : dlsym(RTLD_NEXT, name);
}

void tm_real_resolve(void) {
  chain how = choose_chain();
  void *libc = how == CHAIN_LIBC ? dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
#define RESOLVE(name) tm_real.name = next_of(how, libc, #name, ___interceptor_##name);
#define RESOLVE_PLAIN(name) tm_real.name = dlsym(RTLD_NEXT, #name);
#define RESOLVE_HELPER(name) tm_real.name = dlsym(RTLD_DEFAULT, #name);
  TM_FUNCTIONS(RESOLVE)
  TM_PLAIN_FUNCTIONS(RESOLVE_PLAIN)
  TM_HELPERS(RESOLVE_HELPER)
  tm_real.tm_word_take = (void *)tm_word_take;
  tm_real.tm_word_try = (void *)tm_word_try;
  tm_real.tm_word_give = (void *)tm_word_give;
  tm_real.mutex_lock_slow =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  tm_real.mutex_try_lock_slow =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  tm_real.mutex_unlock_slow =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  tm_real.checked_resume = dlsym(RTLD_NEXT, "$sScC6resume9returningyxn_tF");
  tm_real.checked_resume_throwing = dlsym(RTLD_NEXT, "$sScC6resume8throwingyq_n_tF");
#define RESOLVE_NAMED(name, symbol) tm_real.name = dlsym(RTLD_NEXT, symbol);
  TM_CANCELLING_FUNCTIONS(RESOLVE_NAMED)
  TM_ASKING_FUNCTIONS(RESOLVE_NAMED)
  TM_STREAM_FUNCTIONS(RESOLVE_NAMED)
  RESOLVE_NAMED(task_cancel, TM_TASK_CANCEL)
  RESOLVE_NAMED(own_check, TM_OWN_CHECK)
  RESOLVE_NAMED(lazy_load, TM_LAZY_LOAD)
  RESOLVE_NAMED(lazy_store, TM_LAZY_STORE)
  tm_real.with_cancellation_handler = dlsym(RTLD_NEXT, TM_WITH_CANCELLATION_HANDLER);
  tm_real.thread_quality =
      dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadC16qualityOfServiceAA07QualitydE0Ovg");
  tm_real.clock = dlsym(RTLD_NEXT, "clock_gettime");
  tm_real.int_metadata = dlsym(RTLD_DEFAULT, "$sSiN");
  tm_real.dispatch_concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
}

struct tm_strand_real tm_strand_real;

void tm_strand_real_resolve(void) {
  void *libdispatch = dlopen("libdispatch.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!libdispatch) return;
#define RESOLVE_STRAND(name) tm_strand_real.name = dlsym(libdispatch, #name);
  TM_STRAND_FUNCTIONS(RESOLVE_STRAND)
}

void *tm_real_demand(void **field, const char *name) {
  tm_real_resolve();
  if (*field) return *field;
  static const char before[] = "Threadmill internal error: no real function behind ";
  static const char after[] = "; please report this with the name of your system\n";
  /* The gate's own `write` would come here again. */
  syscall(SYS_write, 2, before, sizeof before - 1);
  syscall(SYS_write, 2, name, strlen(name));
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
    if (note[0] == 11 && strcmp((const char *)(note + 3), "Threadmill") == 0) return true;
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

bool tm_locate(uintptr_t pc, tm_location *location) {
  Dl_info info;
  if (!dladdr((void *)pc, &info)) return false;
  uintptr_t start = (uintptr_t)(info.dli_saddr ? info.dli_saddr : info.dli_fbase);
  *location = (tm_location){info.dli_sname, info.dli_fname, start};
  return true;
}

/* Prefers the demangler for backtraces, which knows C++ as well, but is no public function of the
 * library. */
char *tm_demangle(const char *name) {
  typedef char *(*backtrace_demangle)(const char *, size_t, char *, size_t *);
  backtrace_demangle both = TM_HELPER(backtrace_demangle, _swift_backtrace_demangle);
  size_t room = 0;
  return both ? both(name, strlen(name), NULL, &room) : tm_demangle_whole(name);
}

char *tm_demangle_whole(const char *name) {
  char *(*demangle)(const char *, size_t, char *, size_t *, uint32_t) =
      TM_HELPER(char *(*)(const char *, size_t, char *, size_t *, uint32_t), swift_demangle);
  return demangle ? demangle(name, strlen(name), NULL, NULL, 0) : NULL;
}

bool tm_is_thunk(const char *name) {
  bool (*is_thunk)(const char *) =
      TM_HELPER(bool (*)(const char *), _swift_backtrace_isThunkFunction);
  return is_thunk && is_thunk(name);
}

TM_GATE_CODE_END
#endif
