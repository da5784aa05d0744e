/* Marks on the stack that Thread Sanitizer keeps for each thread. By the mark the stacks of one
 * test differ from those of another test, so that TSan reports the same race for both; and a
 * report's stack names the test. */
#ifndef TM_RACE_MARK_H
#define TM_RACE_MARK_H
#include <stdbool.h>
#include <stdint.h>

void tm_race_marks_prepare(void);
/* Tells TSan that what the thread does from here on, up to the matching `tm_race_unmark`, is for
 * this test. Returns whether there is something to unmark. */
bool tm_race_mark(uint32_t scope);
void tm_race_unmark(void);
/* Marks what a schedule of an exploration does: a race of one schedule is reported again in
 * another. */
void tm_race_mark_schedule(uint32_t number);
void tm_race_unmark_schedule(void);
bool tm_race_is_schedule(uintptr_t place);
/* Marks what a strand with a fibre does by the number of its errand (errand.h). Returns whether
 * there is something to unmark. */
bool tm_race_mark_work(uint32_t number);
uint32_t tm_race_work_of(uintptr_t place);
/* Returns the test whose mark the place is, or 0. */
uint32_t tm_race_scope_of(uintptr_t place);
#endif
