/* The files of this floor, compiled at once. Generated: scripts/lib/floors --write */
#include "calls/swift/cancellation.c"
#include "calls/swift/continuation.c"
#include "calls/swift/lazy_reference.c"
#include "calls/swift/mutex.c"
#include "calls/swift/once.c"
#include "calls/swift/resumption.c"
#include "calls/swift/task_local.c"
#include "calls/swift/task_switch.c"
