#ifdef __linux__
#include "ground/base.h"
#include "strand/scope.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "strand/swift_task.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* The test that a task works for is kept in a task-local value of the gate's own, next to the one
 * that Swift Testing pushes for itself. Child tasks inherit the value; the gate hands it to threads
 * and blocks. */
const char tm_scope_key;
typedef __attribute__((swiftcall)) void *(*get_function)(const void *);

static uint32_t process_scope;

void tm_set_process_scope(uint32_t scope) { process_scope = scope; }

bool tm_is_process_scope(uint32_t scope) { return scope && scope == process_scope; }

uint32_t tm_scope_of(const void *task) {
  if (task && tm_real.int_metadata) {
    get_function get = TM_HELPER(get_function, swift_task_localValueGet);
    intptr_t *value = get ? get(&tm_scope_key) : NULL;
    if (value && *value) return (uint32_t)*value;
  }
  return tm_self && tm_self->strand.scope ? tm_self->strand.scope : process_scope;
}

uint32_t tm_current_scope(void) { return tm_scope_of(tm_swift_task()); }

/* Counts the openings of each test's scope; two tests may share a slot. */
enum { OPEN_SCOPES = 1024 };
static atomic_uint tests, open[OPEN_SCOPES];

void tm_scope_open(uint32_t scope) {
  atomic_fetch_add(&open[scope % OPEN_SCOPES], 1);
  atomic_fetch_add(&tests, 1);
}

void tm_scope_close(uint32_t scope) {
  atomic_fetch_sub(&open[scope % OPEN_SCOPES], 1);
  atomic_fetch_sub(&tests, 1);
}

bool tm_is_test_running(void) { return atomic_load(&tests) != 0; }
bool tm_is_scope_open(uint32_t scope) { return scope && atomic_load(&open[scope % OPEN_SCOPES]); }

TM_GATE_CODE_END
#endif
