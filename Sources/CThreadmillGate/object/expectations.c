#ifdef __linux__
#include "object/expectations.h"
#include "ground/text.h"
#include "object/object.h"

TM_GATE_CODE_BEGIN

_Atomic(const void *) tm_expectations_queue;

void tm_expectations_look(const void *queue, const char *label) {
  if (label && tm_text_is(label, "org.swift.XCTest.XCTWaiter"))
    atomic_store_explicit(&tm_expectations_queue, queue, memory_order_relaxed);
}

/* A queue keeps the ends of its blocks, and no stamp: the stamps are left at the variable. */
void tm_expectations_leave(tm_thread *t) {
  tm_object_leave_stamp(t, (const void *)&tm_expectations_queue, TM_CONDITION);
}

void tm_expectations_take(tm_thread *t) {
  tm_object_take_stamp(t, (const void *)&tm_expectations_queue);
}

TM_GATE_CODE_END
#endif
