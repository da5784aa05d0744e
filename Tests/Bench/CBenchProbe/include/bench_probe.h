/* What the benchmark needs below Swift: loops with nothing between two calls, and the machine.
 *
 * Nothing here knows the harness. The same object code is linked into the bare and into the
 * observed executable. */
#ifndef THREADMILL_BENCH_PROBE_H
#define THREADMILL_BENCH_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Locks and unlocks one mutex, `rounds` times. */
void bench_mutex(uint64_t rounds);
/* Locks A, then B, and unlocks both, `rounds` times. */
void bench_nested_pair(uint64_t rounds);
/* The same with sixteen locks, another pair each time; always the lower index first. */
void bench_rotating_pairs(uint64_t rounds);
/* The same with all pairs of sixteen and of sixty-four locks, in turn: 120 and 2,016 pairs. */
void bench_all_pairs_of_16(uint64_t rounds);
void bench_all_pairs_of_64(uint64_t rounds);
/* Initialises and destroys a mutex, `rounds` times. */
void bench_mutex_lifetime(uint64_t rounds);

/* Initialises `count` mutexes, nests `count` random pairs of them, each pair in a random order, and
 * destroys the mutexes. */
void bench_fresh_nesting(uint64_t count);

/* Two threads, each on its own core, lock one mutex as often as they can for this long.
 * Returns nanoseconds for each lock and unlock of either thread, or 0 where there is one core. */
double bench_contended(uint64_t nanoseconds);

/* Initialises, locks, unlocks and destroys `count` mutexes, one after the other. */
void bench_locks_in_turn(size_t count);
/* The same, but each is locked while one and the same other mutex is held. */
void bench_locks_in_turn_nested(size_t count);
/* Initialises and locks `count` mutexes, which are all alive at once, then destroys them. */
void bench_locks_at_once(size_t count);

/* Nanoseconds of processor time that each half of the new pairs took. */
struct bench_halves {
  double first;
  double second;
};
/* Nests `pairs` different pairs of `locks` live mutexes, each once, in an order that makes no
 * cycle: the order of creation, or, if `shuffled`, an arbitrary one. The same for the same seed. */
struct bench_halves bench_distinct_pairs(
    size_t locks, size_t pairs, bool shuffled, uint64_t seed);

/* Monotonic time, and the processor time of this process, in nanoseconds. */
uint64_t bench_now(void);
uint64_t bench_processor_time(void);

/* Starts a thread that sleeps for ever. With a single thread glibc takes locks without atomic
 * operations, which no program that is worth watching ever sees. */
void bench_become_multithreaded(void);

/* How many cores this thread may use. */
unsigned bench_cores(void);
/* Binds the calling thread to the last but `index` of these cores; false if there is none. */
bool bench_pin(unsigned index);
/* Lets the calling thread use again what it could use before the first bench_pin. */
void bench_unpin(void);

/* Whether pthread_mutex_lock, as this code calls it, is the executable's own and not libc's. */
bool bench_is_watched(void);

/* Bytes of this process that lie in memory, after free memory was given back. */
size_t bench_resident_bytes(void);
/* How often the calling thread asked for memory so far; -1 where that cannot be counted. */
int64_t bench_allocations(void);

/* From now on a system call of the calling thread other than write and exit ends the process:
 * it writes the call's number as a line "calls N" to standard output and exits with 0.
 * Returns false, and changes nothing, where the kernel has no such filter. */
bool bench_forbid_system_calls(void);
/* Writes one line to standard output and ends the process at once, without exit handlers. */
_Noreturn void bench_finish(const char *line);

#endif
