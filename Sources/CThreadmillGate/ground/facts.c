#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

_Thread_local tm_thread *tm_self __attribute__((tls_model("initial-exec")));

atomic_bool tm_active;
atomic_bool tm_shaking;
bool tm_steering;
bool tm_creation_is_locked;
bool tm_exits;
tm_settings tm_settings_now;
tm_listener tm_listening;

const char *const tm_count_names[TM_COUNTS] = {
    "holdsDropped",
    "stacksTruncated",
    "stacksDropped",
    "threadsDropped",
    "stacksMissed",
    "clocksDropped",
    "acquisitionsUnprofiled",
    "sanitizerLockOrdersLeftOut",
    "racesLeftToSanitizer",
    "accessesToThreadsOwnMemory",
    "accessesPerhapsToThreadsOwnMemory",
    "strandFibres",
    "strandsOrderedByReuse",
    "sanitizerRacesOfLibrariesLeftOut",
    "jitterPoints",
    "jitterDelays",
    "jitterMilliseconds",
    "jitterOverBudget",
    "jitterPlansDropped",
    "traceEventsDropped",
    "poolWorkUnwatched",
    "memoryRefused",
    "nestingsForgotten",
    "locksOfEndedThreadsForgotten",
    "jobLayoutUnknown",
    "taskLayoutUnknown",
    "statusLayoutUnknown",
    "actorLayoutUnknown",
    "continuationLayoutUnknown",
    "stringLayoutUnknown",
    "arrayLayoutUnknown",
    "operationLayoutUnknown",
    "keyPathLayoutUnknown",
    "lockClassesUnknown",
    "mutexesSeen",
    "mutexLocksUnseen",
    "mutexPlacesUnread",
    "mutexImagesUnseen",
};

static atomic_ullong counts[TM_COUNTS];

void tm_count_one(tm_count which) {
  atomic_fetch_add_explicit(&counts[which], 1, memory_order_relaxed);
}

void tm_count_many(tm_count which, uint64_t many) {
  atomic_fetch_add_explicit(&counts[which], many, memory_order_relaxed);
}

uint64_t tm_counted(tm_count which) {
  return atomic_load_explicit(&counts[which], memory_order_relaxed);
}

bool tm_is_active(void) { return atomic_load_explicit(&tm_active, memory_order_relaxed); }

atomic_bool tm_controlling;

uint32_t tm_slot_new(void) {
  static atomic_uint slots;
  return atomic_fetch_add_explicit(&slots, 1, memory_order_relaxed);
}

TM_GATE_CODE_END
#endif
