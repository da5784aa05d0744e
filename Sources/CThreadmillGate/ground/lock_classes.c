#ifdef __linux__
#include "ground/base.h"
#include "ground/lock_classes.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/text.h"
#include "threadmill_gate.h"
#include <dlfcn.h>

TM_GATE_CODE_BEGIN

#define FOUNDATION "$s10Foundation"

/* Functions in all parts of the lock classes' code. The classes are one source file of Foundation,
 * so their code lies together, nameless functions included: protocol witnesses, and functions that
 * the compiler merged. */
static const char *const functions[] = {
    FOUNDATION "6NSLockCACycfC",
    FOUNDATION "6NSLockC4lockyyF",
    FOUNDATION "6NSLockC3trySbyF",
    FOUNDATION "6NSLockCfD",
    FOUNDATION "15NSRecursiveLockCACycfC",
    FOUNDATION "15NSRecursiveLockC4lockyyF",
    FOUNDATION "15NSRecursiveLockC3trySbyF",
    FOUNDATION "15NSRecursiveLockCfD",
    FOUNDATION "11NSConditionC4waityyF",
    FOUNDATION "11NSConditionC9broadcastyyF",
    FOUNDATION "11NSConditionCfD",
    FOUNDATION "15NSConditionLockC4lockyyF",
    FOUNDATION "15NSConditionLockC6unlock13withConditionySi_tF",
    FOUNDATION "15NSConditionLockCfD",
};
static const char *const elsewhere[] = {
    FOUNDATION "9OperationC5startyyF",
    FOUNDATION "14OperationQueueC03addB0yyAA0B0CF",
    FOUNDATION "6ThreadC5startyyF",
};

/* The classes take 3.4 KB with Swift 6.3.1. Nameless functions may lie before and behind the ones
 * that are looked up. */
enum { LARGEST = 16384, MARGIN = 1024 };

/* The code from the first of the functions to the last. Written before there are other threads. */
static uintptr_t low = UINTPTR_MAX, high;

static bool is_between(uintptr_t address, uintptr_t from, uintptr_t to) {
  return address - from < to - from;
}

static bool find_code(void *library) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    uintptr_t at = (uintptr_t)dlsym(library, functions[i]);
    if (!at) return false;
    if (i == 0) at += (uintptr_t)tm_moved[TM_LAYOUT_LOCK_CLASSES] * LARGEST;
    if (at < low) low = at;
    if (at >= high) high = at + 1;
  }
  if (high - low > LARGEST) return false;
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    if (is_between((uintptr_t)dlsym(library, elsewhere[i]), low, high)) return false;
  return true;
}

void tm_lock_classes_prepare(void) {
  void *library = dlopen("libFoundation.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library) tm_layout_compared(TM_LAYOUT_LOCK_CLASSES, find_code(library));
}

static tm_part part_named(const char *symbol) {
  static const char *const classes[] = {
      FOUNDATION "6NSLockC",
      FOUNDATION "15NSRecursiveLockC",
      FOUNDATION "11NSConditionC",
      FOUNDATION "15NSConditionLockC",
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (tm_text_begins(symbol, classes[i])) return TM_PART_LOCKS;
  static const char *const reads[] = {
      FOUNDATION "9OperationC10isFinishedSbvg",
      FOUNDATION "9OperationC11isExecutingSbvg",
      FOUNDATION "9OperationC11isCancelledSbvg",
      FOUNDATION "9OperationC7isReadySbvg",
      FOUNDATION "9OperationC17waitUntilFinishedyyF",
      FOUNDATION "14OperationQueueC9_scheduleyyF", /* starts operations that are ready */
  };
  for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
    if (tm_text_is(symbol, reads[i])) return TM_PART_OPERATION_READS;
  return tm_text_has(symbol, "Operation") ? TM_PART_OPERATIONS : TM_PART_OTHER;
}

tm_part tm_part_of_foundation(uintptr_t address) {
  tm_location place;
  /* Foundation was loaded after the start. */
  if (tm_layout_is_unknown(TM_LAYOUT_LOCK_CLASSES))
    tm_layout_compared(TM_LAYOUT_LOCK_CLASSES, false);
  bool known = tm_layout_is_usable(TM_LAYOUT_LOCK_CLASSES);
  if (known && is_between(address, low, high)) return TM_PART_LOCKS;
  if (tm_locate(address, &place) && place.symbol) return part_named(place.symbol);
  bool near = known && is_between(address, low - MARGIN, high + MARGIN);
  return near ? TM_PART_LOCKS : TM_PART_UNNAMED;
}

TM_GATE_CODE_END
#endif
