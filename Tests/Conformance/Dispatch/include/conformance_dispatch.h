/* The cases of libdispatch's C interface. Each table ends with an entry without a name. */
#ifndef CONFORMANCE_DISPATCH_H
#define CONFORMANCE_DISPATCH_H

#include "conformance.h"

extern const conformance_case submit_cases[];
extern const conformance_case queue_cases[];
extern const conformance_case wait_cases[];
extern const conformance_case block_cases[];
extern const conformance_case timing_cases[];

/* All of them, in the order in which they run; ends with NULL. */
extern const conformance_case *const dispatch_tables[];

#endif
