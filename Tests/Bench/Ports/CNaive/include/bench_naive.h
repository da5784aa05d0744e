/* Jitter as one writes it in an afternoon: before and after each call of the program that locks,
 * waits, signals, or starts or joins a thread, it yields, or sleeps for up to 200 microseconds. */
#ifndef BENCH_NAIVE_H
#define BENCH_NAIVE_H
#include <stdint.h>

/* Begins to disturb all threads, as the seed says. */
void bench_naive_begin(uint64_t seed);

#endif
