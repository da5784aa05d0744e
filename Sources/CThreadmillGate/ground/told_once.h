/* Keeps a finding from being told twice for the same place. */
#ifndef TM_TOLD_ONCE_H
#define TM_TOLD_ONCE_H
#include <stdbool.h>
#include <stdint.h>

/* Returns true for the first call with this number, and false from then on. After about a thousand
 * numbers the table is full, and the answer for every new number is false. */
bool tm_is_first_time(uint64_t number);
#endif
