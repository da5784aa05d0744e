/* The files of this floor, compiled at once. Generated: scripts/lib/floors --write */
#include "calls/foundation/operation_queues.c"
#include "calls/foundation/operations.c"
#include "calls/foundation/run_loop.c"
