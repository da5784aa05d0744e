#ifdef __linux__
#include "ground/base.h"
#include "calls/swift/mutex.h"
#include "code/caller.h"
#include "code/inlined_lock.h"
#include "code/own_variables.h"
#include "code/replacement.h"
#include "ground/facts.h"
#include "ground/fork_mark.h"
#include "ground/mutex_word.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/object.h"
#include "seam/plain.h"
#include "seam/seam.h"
#include "seam/users_call.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* `Synchronization.Mutex` is inlined into the user's code. An uncontended lock is an exchange of
 * the mutex's word from 0 to the thread's number. Only if the exchange fails does the code call
 * `_lockSlow`, which is the gate's; and likewise for the unlock. The gate makes the exchanges fail:
 * it leaves a flag in the word (threadmill_mutex.h).
 *
 * The first lock of a mutex finds no flag yet. In a debug build, code asks a local function of its
 * image for the thread's number right before the exchange. The gate takes the place of that
 * function, reads from the code behind the call which word comes next, and sets the flag. The
 * unlock of a debug build is a local function, too, and the gate takes its place: it needs no
 * failing exchange.
 *
 * In an optimised build both functions are inlined. Their code keeps the thread's number in a
 * thread-local variable, a cache, and asks the kernel if that is 0. The gate takes the place of
 * this call, and reads from the code behind it which word comes next, as above. It empties the
 * cache when a call shows that the exchange has failed, so that the code asks the next time as
 * well. Where this is not possible, a mutex is seen from the first time on that a thread has to
 * wait for it.
 *
 * A word that is 0 before a lock belongs to a new mutex, if the gate has seen another one at this
 * address: the gate leaves a 0 only while another thread waits. Nothing else tells the end of a
 * mutex.
 *
 * TSan sees the exchanges that fail, and nothing of what the gate does. The gate draws the edges of
 * lock and unlock on the word itself. */

#define TM_SELF __attribute__((swift_context)) void *self

#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
__attribute__((swiftcall)) TM_EXPORT void tm_mutex_lock_slow(uint32_t number,
                                                             TM_SELF) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) TM_EXPORT bool
    tm_mutex_try_lock_slow(TM_SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
__attribute__((swiftcall)) TM_EXPORT void
    tm_mutex_unlock_slow(TM_SELF) __asm__(UNLOCK_SLOW);

/* The inlined locks of some image come to the gate. */
static bool follows;

static uint32_t own_number(void) {
  const tm_thread *t = tm_self;
  return t && t->ground.tid ? (uint32_t)t->ground.tid : (uint32_t)syscall(SYS_gettid);
}

/* The word belongs to a new mutex, or was unlocked where the gate does not see it. What was known
 * of a mutex at this address is forgotten. */
TM_SLOW static void begin_anew(tm_thread *t, const void *word) {
  tm_count_one(TM_MUTEXES_SEEN);
  tm_object_died(t, word);
}

static bool knows(const tm_thread *t) { return t && follows; }

static int lock(uint32_t *word, uint32_t number, void *frame) {
  TM_INTERPOSED_AT(frame, ((void **)frame)[1], tm_word_take, (word, number, knows(t)), TM_ACQUIRE,
                   word, TM_SWIFT_MUTEX, TM_EXCLUSIVE);
}

/* The short way of a lock that is free and known: nobody is waited for, and nothing is new. Returns
 * false if it is none, and has changed nothing. */
TM_INLINE bool lock_free(uint32_t *word, uint32_t number, void *frame) {
  if (tm_word_look(word) != TM_WORD_MARKED || TM_REAL(tm_word_take) != tm_word_take) return false;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t || t->ground.special || t->holds.held_count == TM_HOLDS)) return false;
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return false;
  if (TM_UNLIKELY(tm_caller_of(t, ((void **)frame)[1]) != TM_CALLER_USER)) return false;
  tm_operation op = {.object = word, .kind = TM_SWIFT_MUTEX, .mode = TM_EXCLUSIVE};
  op.context = tm_context(t, word, TM_SWIFT_MUTEX, TM_EXCLUSIVE);
  if (t->holds.held_count && TM_UNLIKELY(tm_is_new_context(t, op.context))) return false;
  tm_site_take_near(t, frame, op.site);
  if (TM_UNLIKELY(!tm_word_take_marked(word, number))) return false;
  tm_hold_push(t, &op, 0);
  return true;
}

/* A thread whose locks were not seen may be part of a deadlock all the same: its number in the word
 * says what it has. */
TM_SLOW static void lock_taken(uint32_t *word, uint32_t number, void *frame) {
  atomic_fetch_add(&tm_joiners, 1);
  lock(word, number, frame);
  atomic_fetch_sub(&tm_joiners, 1);
}

static int try_lock(uint32_t *word, void *frame) {
  TM_INTERPOSED_AT(frame, ((void **)frame)[1], tm_word_try, (word, own_number(), knows(t)), TM_TRY,
                   word, TM_SWIFT_MUTEX, TM_EXCLUSIVE);
}

TM_OTHER_WAY static int unlock_held(uint32_t *word, uint32_t number, void *frame) {
  TM_INTERPOSED_AT(frame, ((void **)frame)[1], tm_word_give, (word, number, knows(t)), TM_RELEASE,
                   word, TM_SWIFT_MUTEX, TM_EXCLUSIVE);
}

/* The thread took the mutex where the gate does not see it, or the gate does not watch the call. */
TM_SLOW static void unlock_unheld(uint32_t *word, uint32_t number, void *returns_to) {
  tm_caller who;
  tm_thread *t = tm_users_call(returns_to, &who);
  if (t && follows) {
    tm_count_one(TM_MUTEX_LOCKS_UNSEEN);
    begin_anew(t, word);
  }
  bool flagged = tm_word_look(word) & TM_WORD_KNOWN;
  TM_REAL(tm_word_give)(word, number, follows && tm_is_active() && (t || flagged));
}

/* A forked child has the parent's numbers in the words that it inherits. */
static uint32_t owner_of(const uint32_t *word) {
  return tm_is_active() ? own_number() : tm_word_owner(tm_word_look(word));
}

TM_INLINE void unlock(uint32_t *word, void *frame) {
  tm_tsan_release(word);
  tm_thread *t = tm_release_plainly(word);
  if (TM_LIKELY(t != NULL)) {
    TM_REAL(tm_word_give)(word, (uint32_t)t->ground.tid, follows);
    return;
  }
  tm_watched_thread(); /* a lock that was taken inline becomes a hold */
  if (tm_holder(word)) unlock_held(word, own_number(), frame);
  else unlock_unheld(word, owner_of(word), ((void **)frame)[1]);
}

/* The cache that may have the thread's number in it; `any_cache`: all of them may; NULL: none. */
static uint32_t any_cache[1];
static _Thread_local uint32_t *full_cache __attribute__((tls_model("initial-exec"))) = any_cache;

TM_SLOW static void empty_any_cache(void) {
  tm_own_variables_clear();
  full_cache = NULL;
}

TM_INLINE void empty_cache(void) {
  if (TM_LIKELY(!full_cache)) return;
  if (TM_UNLIKELY(full_cache == any_cache)) return empty_any_cache();
  *full_cache = 0;
  full_cache = NULL;
}

__attribute__((swiftcall)) void tm_mutex_lock_slow(uint32_t number, TM_SELF) {
  void *frame = __builtin_frame_address(0);
  empty_cache();
  if (TM_UNLIKELY(tm_word_is_taken(self))) lock_taken(self, number, frame);
  else if (TM_UNLIKELY(!lock_free(self, number, frame))) lock(self, number, frame);
  tm_tsan_acquire(self);
}

__attribute__((swiftcall)) bool tm_mutex_try_lock_slow(TM_SELF) {
  empty_cache();
  bool taken = try_lock(self, __builtin_frame_address(0)) == 0;
  if (taken) tm_tsan_acquire(self);
  return taken;
}

__attribute__((swiftcall)) void tm_mutex_unlock_slow(TM_SELF) {
  empty_cache();
  unlock(self, __builtin_frame_address(0));
}

/* In the place of the unlock of a debug build; the generic arguments that follow are not needed. */
static void unlock_inlined(void *word) { unlock(word, __builtin_frame_address(0)); }

/* Leaves the mark in the word. The thread has the mutex meanwhile: another thread takes a new mutex
 * only when what was known of this address is forgotten. */
TM_SLOW static void mark(tm_thread *t, uint32_t *word, uint32_t number) {
  if (!tm_word_take_unmarked(word, number)) return;
  if (!tm_word_is_awaited(word)) begin_anew(t, word);
  tm_word_give(word, number, true);
}

/* Returns the thread's number. `word`: what the code is about to lock; NULL for nothing. */
static uint32_t prepare_lock(tm_thread *t, uint32_t *word, void *frame) {
  uint32_t number = (uint32_t)t->ground.tid;
  if (!word) return number;
  if (TM_UNLIKELY(tm_word_look(word) == 0)) mark(t, word, number);
  uint32_t seen = tm_word_look(word);
  if (TM_UNLIKELY(seen != TM_WORD_MARKED && tm_word_owner(seen) != number))
    tm_inlined_wait_begins(t, word, frame);
  return number;
}

__attribute__((noinline)) static uint32_t number_for_lock(const tm_registers *r,
                                                          uintptr_t *frame) {
  tm_thread *t = tm_watched_thread();
  if (TM_UNLIKELY(!t)) return own_number();
  return prepare_lock(t, tm_inlined_lock(frame[1], r, true).word, frame);
}

/* In the place of `_swift_stdlib_gettid`. */
static uint32_t number_of_thread(void) {
  tm_registers r;
  tm_registers_read(&r, __builtin_frame_address(0));
  return number_for_lock(&r, __builtin_frame_address(0));
}

#if defined(__x86_64__)

static long (*real_call)(long, ...);

/* Answers the call for the number of the thread. The code of a Mutex gets the one that the gate
 * knows. Any other code, and code that is not watched, gets that of the kernel. */
__attribute__((noinline)) static long number_for_call(const tm_registers *r, uintptr_t *frame) {
  if (tm_in_gate(frame[1])) return real_call(SYS_gettid);
  tm_thread *t = tm_is_copy() ? NULL : tm_watched_thread();
  tm_inlined inlined = {NULL, NULL};
  if (TM_LIKELY(t != NULL)) inlined = tm_inlined_lock(frame[1], r, false);
  uint32_t *before = full_cache;
  full_cache = inlined.cache && (!before || before == inlined.cache) ? inlined.cache : any_cache;
  return inlined.cache ? prepare_lock(t, inlined.word, frame) : real_call(SYS_gettid);
}

__attribute__((noinline, used)) static long number_asked(void) {
  tm_registers r;
  tm_registers_read(&r, __builtin_frame_address(0));
  return number_for_call(&r, __builtin_frame_address(0));
}

/* In the place of `syscall`. It only jumps, so that registers and stack stay those of the code that
 * called it. */
__attribute__((naked)) static void any_call(void) {
  __asm__("cmpq %0, %%rdi\n\tje %P1\n\tjmpq *%2"
          :
          : "i"(SYS_gettid), "i"(number_asked), "m"(real_call));
}

static void take_call(void) { real_call = dlsym(RTLD_NEXT, "syscall"); }

#else
static void take_call(void) {}
#endif

#define DEFER "qd_0_YKYTXEqd_0_YKs5ErrorRd_0_Ri_d__r0_lF6$deferL_yysA"
static const tm_replacement locals[] = {
    {"_swift_stdlib_gettid", (void (*)(void))number_of_thread},
    {"$s15Synchronization5MutexVAARi_zrlE8withLockyqd__qd__xzYu" DEFER
     "ERd_0_Ri_zRi_d__r_0_lF",
     (void (*)(void))unlock_inlined},
    {"$s15Synchronization5MutexVAARi_zrlE19withLockIfAvailableyqd__Sgqd__xzYu" DEFER
     "FRd_0_Ri_zRi_d__r_0_lF",
     (void (*)(void))unlock_inlined},
};

/* Only the code of x86-64 is read. */
static const tm_slot_change inner[] = {
#if defined(__x86_64__)
    {"syscall", NULL, (void *)any_call},
#endif
    {NULL, NULL, NULL},
};

static const tm_replacements replacements = {locals, sizeof locals / sizeof *locals, inner,
                                             "_swift_stdlib_gettid.tid", UNLOCK_SLOW};

void tm_mutexes_prepare(void) {
  static const char library[] = "libswiftSynchronization.so";
  if (!tm_settings_now.mutexes || !tm_is_needed(library)) return;
  /* Marks in words must come to the gate, from every image. */
  bool ours = dlsym(RTLD_DEFAULT, LOCK_SLOW) == (void *)tm_mutex_lock_slow;
  if (!ours || !tm_word_is_understood()) return tm_count_one(TM_MUTEX_IMAGES_UNSEEN);
  take_call();
  follows = true;
  tm_count_many(TM_MUTEX_IMAGES_UNSEEN, tm_replace(library, &replacements));
  empty_any_cache();
}

TM_GATE_CODE_END
#endif
