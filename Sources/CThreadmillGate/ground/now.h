/* Clocks that Thread Sanitizer takes no note of. */
#ifndef TM_NOW_H
#define TM_NOW_H
#include <stdint.h>

/* In nanoseconds. */
enum { TM_MICROSECOND = 1000, TM_MILLISECOND = 1000000, TM_SECOND = 1000000000 };

/* Nanoseconds on a clock that stands still while the machine sleeps. */
uint64_t tm_now(void);
/* Nanoseconds on the same clock to within some milliseconds, at a fraction of the cost. The two
 * readings must not be mixed. */
uint64_t tm_now_roughly(void);
/* Nanoseconds on a clock of the system. */
uint64_t tm_read_clock(int clock);
#endif
