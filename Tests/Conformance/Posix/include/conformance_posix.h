/* The cases of POSIX threads, by family. Each table ends with an entry without a name. */
#ifndef CONFORMANCE_POSIX_H
#define CONFORMANCE_POSIX_H

#include "conformance.h"

extern const conformance_case mutex_cases[];
extern const conformance_case mutex_kind_cases[];
extern const conformance_case mutex_use_cases[];
extern const conformance_case robust_cases[];
extern const conformance_case rwlock_cases[];
extern const conformance_case condition_cases[];
extern const conformance_case condition_use_cases[];
extern const conformance_case thread_cases[];
extern const conformance_case default_cases[];
extern const conformance_case thread_join_cases[];
extern const conformance_case thread_end_cases[];
extern const conformance_case semaphore_cases[];
extern const conformance_case semaphore_signal_cases[];
extern const conformance_case small_lock_cases[];
extern const conformance_case cancellation_cases[];
extern const conformance_case sleep_cases[];
extern const conformance_case process_cases[];
extern const conformance_case life_cases[];
extern const conformance_case ending_cases[];
extern const conformance_case stack_cases[];
extern const conformance_case user_cases[];
extern const conformance_case surroundings_cases[];
extern const conformance_case image_cases[];
extern const conformance_case limit_cases[];
extern const conformance_case interruption_cases[];
extern const conformance_case child_cases[];
extern const conformance_case file_cancellation_cases[];

/* All of them, in the order in which they run; ends with NULL. */
extern const conformance_case *const posix_tables[];

#endif
