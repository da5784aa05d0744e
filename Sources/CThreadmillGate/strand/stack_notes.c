#ifdef __linux__
#include "ground/base.h"
#include "strand/stack_notes.h"
#include "ground/kernel.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Strands that a thread runs one after the other use the same addresses for their frames, which for
 * TSan is memory that fibres share. So all accesses below the frame that runs the strand are
 * forgotten when the thread goes on with another fibre. */

enum { NEAR = 16384, PAGE = 4096 };
#ifdef __x86_64__
/* The place of TSan's notes about an address (`MemToShadow`). It is compared with the runtime at
 * the start. */
static uintptr_t notes_of(uintptr_t address) {
  return (address & ~(uintptr_t)0x700000000007) * 2 + 0x100000000000;
}
#else
static uintptr_t notes_of(uintptr_t address) { return (void)address, 0; }
#endif
static bool knows_notes;

/* The place in a state of TSan's where it keeps the end of the state's history (`trace_pos`). Each
 * note about memory is an event there, too; a call or return is one with FUNCTION in its lowest
 * bits. While only such events come, there is no new note. Place and bits are found by what two
 * notes, a call and a return change. */
enum { WORDS = 16, EVENT = 8, UNKNOWN = WORDS, MOST = 64 * EVENT, KIND = 3, FUNCTION = 2 };
static size_t end_place = UNKNOWN;

static bool is_function(uintptr_t at) { return (*(const uint64_t *)at & KIND) == FUNCTION; }

static void find_end(uint64_t *memory) {
  const uintptr_t *state = __tsan_get_current_fiber();
  uintptr_t seen[3][WORDS];
  size_t places = 0, place = UNKNOWN;
  for (int i = 0; i < 3; i++) {
    __tsan_write8(&memory[i]);
    tm_copy(seen[i], state, sizeof seen[i]);
  }
  for (size_t i = 0; i < WORDS; i++)
    if (seen[1][i] - seen[0][i] == EVENT && seen[2][i] - seen[1][i] == EVENT) place = i, places++;
  if (places != 1) return;
  uintptr_t end = state[place];
  __tsan_func_entry(memory);
  __tsan_func_exit();
  bool fits = state[place] == end + 2 * EVENT;
  if (fits && !is_function(end - EVENT) && is_function(end) && is_function(end + EVENT))
    end_place = place;
}

uintptr_t tm_stack_mark(const void *state) {
  return end_place < WORDS ? ((const uintptr_t *)state)[end_place] : 0;
}

bool tm_stack_is_unnoted(const void *state, uintptr_t mark) {
  uintptr_t end = tm_stack_mark(state);
  if (!mark || end - mark > MOST) return false;
  for (; mark < end; mark += EVENT)
    if (!is_function(mark)) return false;
  return true;
}

static void compare_notes(uint64_t *word) {
  uint64_t before = 1, after = 0, reset = 1;
  if (!notes_of((uintptr_t)word)) return;
  const void *notes = (const void *)notes_of((uintptr_t)word);
  if (!tm_peek(notes, &before, sizeof before)) return;
  __tsan_write8(word);
  if (!tm_peek(notes, &after, sizeof after)) return;
  tm_tsan_forget(__tsan_get_current_fiber(), 0, (uintptr_t)word, sizeof *word);
  if (!tm_peek(notes, &reset, sizeof reset)) return;
  knows_notes = before == 0 && after != 0 && reset == 0;
}

void tm_stack_notes_prepare(void) {
  uint64_t *memory = __tsan_write8 && __tsan_func_entry ? tm_map(PAGE) : NULL;
  if (!memory) return;
  compare_notes(memory);
  find_end(memory);
  tm_unmap(memory, PAGE);
}

static uintptr_t find_low(const tm_thread *t) {
  if (t->who.is_main) {
    enum { LEAST = 8 << 20 };
    struct rlimit limit = {0, 0};
    syscall(SYS_getrlimit, RLIMIT_STACK, &limit);
    return t->code.stack_top - (limit.rlim_cur < LEAST ? limit.rlim_cur : LEAST) + PAGE;
  }
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  return failed ? 0 : (uintptr_t)base;
}

bool tm_is_on_own_stack(tm_thread *t, uintptr_t top) {
  if (TM_UNLIKELY(!t->strand.stack_low)) {
    t->ground.inside++;
    t->strand.stack_low = find_low(t);
    t->ground.inside--;
    if (!t->strand.stack_low) t->strand.stack_low = UINTPTR_MAX;
  }
  return top > t->strand.stack_low && top <= t->code.stack_top;
}

/* Clears the notes near the top. Pages of notes further down go back to the system, which costs
 * little while none is there. */
void tm_stack_notes_forget(const tm_thread *t, void *state, uintptr_t top) {
  uintptr_t low = (t->strand.stack_low + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  uintptr_t near = (top - NEAR) & ~(uintptr_t)(PAGE - 1);
  if (!knows_notes || near <= low) near = low;
  if (top <= near) return;
  tm_tsan_forget(state, 0, near, top - near);
  if (near > low) syscall(SYS_madvise, notes_of(low), 2 * (near - low), MADV_DONTNEED);
}

TM_GATE_CODE_END
#endif
