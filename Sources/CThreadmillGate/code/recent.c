#ifdef __linux__
#include "ground/base.h"
#include "code/recent.h"
#include "code/part.h"
#include "code/code_kind.h"
#include "code/stack.h"
#include "code/trail.h"
#include "ground/pool.h"
#include "ground/thread.h"

TM_GATE_CODE_BEGIN

enum { LIMIT = TM_STACK / 2, FRAMES = 28 };

/* The two words that lie in a frame: the next frame outwards, and the return address. */
typedef uintptr_t frame_words __attribute__((vector_size(2 * sizeof(uintptr_t)),
                                             aligned(sizeof(uintptr_t)), may_alias));
typedef struct known_frame {
  const frame_words *at;
  frame_words words;
} known_frame;

/* A stack that frame pointers lead through. As long as all its words are equal, a walk from the
 * same frame finds the same stack. */
struct tm_recent {
  uintptr_t frame, top; /* the innermost frame, or 0; the top of the thread's stack */
  uint32_t count, kept;
  known_frame frames[FRAMES];
};

/* All words that it reads lie between the frame and the top of the stack. */
static bool is_here(const tm_recent *r, const tm_thread *t, uintptr_t frame) {
  if (!r || r->frame != frame || r->top != t->code.stack_top) return false;
  frame_words different = {0};
  for (const known_frame *f = r->frames, *end = f + r->count; f < end; f++)
    different |= *f->at ^ f->words;
  return (different[0] | different[1]) == 0;
}

/* Returns whether the walk along frame pointers is all of this stack. */
static bool note_frames(tm_recent *r, const tm_thread *t, uintptr_t at, const uintptr_t *stack,
                        uint32_t count) {
  if (count > FRAMES) return false;
  for (uint32_t i = 0; i < count; i++) {
    const frame_words *words = (const frame_words *)at;
    if (!at || (*words)[1] != stack[i]) return false;
    r->frames[i] = (known_frame){words, *words};
    at = tm_frame_above(t, at);
  }
  return at == 0;
}

TM_SLOW static uint32_t keep(tm_thread *t, tm_recent **place, uintptr_t frame) {
  uintptr_t stack[LIMIT];
  uint32_t count = tm_stack_take(t, (void *)frame, stack, LIMIT);
  uint32_t kept = tm_stack_keep(stack, count);
  /* A signal handler may make objects, too: it passes through. */
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  tm_recent *r = *place ? *place : (*place = tm_pool_take(sizeof(tm_recent)));
  if (r && kept) {
    bool whole = note_frames(r, t, frame, stack, count);
    r->frame = whole ? frame : 0;
    r->top = t->code.stack_top;
    r->count = count;
    r->kept = kept;
  }
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
  return kept;
}

uint32_t tm_stack_keep_here(tm_thread *t, void *frame) {
  uintptr_t at = (uintptr_t)frame, caller = ((const uintptr_t *)frame)[1];
  tm_recent **place = &t->code.recent[(at >> 4 ^ caller) % TM_RECENT];
  return TM_LIKELY(is_here(*place, t, at)) ? (*place)->kept : keep(t, place, at);
}

/* A site, and the words of the stack that say that it is the same: those of the frames that frame
 * pointers lead to, and those by which the unwinder's answer is recognised. */
enum { WORDS = 3 * TM_SITE };
struct tm_recent_site {
  uintptr_t frame, top; /* as above */
  uint32_t count;
  struct {
    const uintptr_t *at;
    uintptr_t value;
  } words[WORDS];
  uintptr_t site[TM_SITE];
};

static bool is_site_here(const tm_recent_site *r, const tm_thread *t, uintptr_t frame) {
  if (!r || r->frame != frame || r->top != t->code.stack_top) return false;
  uintptr_t different = 0;
  for (uint32_t i = 0; i < r->count; i++) different |= *r->words[i].at ^ r->words[i].value;
  return different == 0;
}

static void add_word(tm_recent_site *r, const uintptr_t *at) {
  r->words[r->count].at = at;
  r->words[r->count++].value = *at;
}

/* Returns whether the words decide: the unwinder was not needed, or its answer is a known trail. */
static bool note_words(tm_recent_site *r, const tm_thread *t, uintptr_t frame) {
  uintptr_t walked[TM_SITE], at = frame;
  const uintptr_t *words[TM_SITE];
  bool broken, library = false;
  uint32_t found, count = tm_stack_walk(t, (void *)frame, walked, TM_SITE, &broken);
  r->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    add_word(r, (const uintptr_t *)at);
    add_word(r, (const uintptr_t *)at + 1);
    at = tm_frame_above(t, at);
    library |= tm_is_library(walked[i]);
  }
  uint64_t name = tm_trail_name(walked, count, TM_SITE);
  bool known = tm_trail_words(t, (void *)frame, name, TM_SITE, words, &found) != 0;
  for (uint32_t i = 0; i < found; i++) add_word(r, words[i]);
  return count != 0 && (known || (!broken && !library));
}

TM_SLOW static void take_site(tm_thread *t, tm_recent_site **place, uintptr_t frame,
                              uintptr_t site[TM_SITE]) {
  tm_site_take_whole(t, (void *)frame, site);
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  tm_recent_site *r = *place ? *place : (*place = tm_pool_take(sizeof(tm_recent_site)));
  if (r) {
    r->frame = note_words(r, t, frame) ? frame : 0;
    r->top = t->code.stack_top;
    tm_site_copy(r->site, site);
  }
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
}

void tm_site_take_here(tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t at = (uintptr_t)frame, caller = ((const uintptr_t *)frame)[1];
  tm_recent_site **place = &t->code.recent_sites[(at >> 4 ^ caller) % TM_RECENT];
  if (TM_LIKELY(is_site_here(*place, t, at))) tm_site_copy(site, (*place)->site);
  else take_site(t, place, at, site);
}

TM_GATE_CODE_END
#endif
