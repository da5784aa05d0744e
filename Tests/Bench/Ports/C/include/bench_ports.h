/* Small concurrent programs with one mistake each, whose categories are those of the published
 * benchmarks of controlled scheduling (SCTBench, SV-COMP, ConVul). Written from descriptions of the
 * programs. */
#ifndef BENCH_PORTS_H
#define BENCH_PORTS_H
#include <stdbool.h>

/* Runs the program once, from its initial state. Returns whether its check failed. A program whose
 * mistake is a deadlock does not return then. */
typedef bool bench_port_body(void);

typedef struct bench_port {
  const char *name;
  bench_port_body *run;
} bench_port;

/* Return the programs of each file in turn; from the last one on, one without a name. */
bench_port bench_counter(int), bench_exclusion(int), bench_flag(int), bench_handover(int),
    bench_kernel(int), bench_lock(int), bench_order(int), bench_queue(int), bench_stage(int),
    bench_steal(int);

#endif
