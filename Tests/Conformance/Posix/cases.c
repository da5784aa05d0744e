/* The tables of this program, in the order in which they run. */
#include "conformance_posix.h"

const conformance_case *const posix_tables[] = {
    mutex_cases,
    mutex_kind_cases,
    mutex_use_cases,
    robust_cases,
    rwlock_cases,
    condition_cases,
    condition_use_cases,
    thread_cases,
    default_cases,
    thread_join_cases,
    thread_end_cases,
    semaphore_cases,
    semaphore_signal_cases,
    small_lock_cases,
    cancellation_cases,
    sleep_cases,
    process_cases,
    life_cases,
    ending_cases,
    stack_cases,
    user_cases,
    surroundings_cases,
    NULL,
};
