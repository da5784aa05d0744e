/* Scopes: the numbers of tests, and which test the running code works for. */
#ifndef TM_SCOPE_H
#define TM_SCOPE_H
#include <stdbool.h>
#include <stdint.h>

/* The key of the task-local value that carries a task's scope. */
extern const char tm_scope_key;

/* `tm_current_scope` for a caller that knows the task which runs here; NULL: none. */
uint32_t tm_scope_of(const void *task);
/* Notes that a test of this scope begins or ends. */
void tm_scope_open(uint32_t scope);
void tm_scope_close(uint32_t scope);
bool tm_is_test_running(void);
/* Returns whether a test of this scope runs. */
bool tm_is_scope_open(uint32_t scope);
/* Returns whether all code without a scope of its own works for this test. */
bool tm_is_process_scope(uint32_t scope);
#endif
