/* Edges of synchronisation on memory of the gate's own, for Thread Sanitizer. The gate draws them
 * where strands have fibres (fibre.h): it then submits work past TSan's interceptors, which order
 * more than libdispatch promises. */
#ifndef TM_EDGE_H
#define TM_EDGE_H
#include "ground/base.h"
#include "ground/tsan.h"

/* Whether strands have fibres; set once, before anything is watched. */
extern bool tm_fibres_on;

typedef struct tm_edge {
  volatile uint64_t word;
} tm_edge;

/* The edge begins at the present moment of this strand. What it carried before is forgotten. */
TM_INLINE void tm_edge_begin(tm_edge *edge) {
  if (TM_UNLIKELY(tm_fibres_on)) __tsan_atomic64_store(&edge->word, 0, 3);
}
/* The edge begins here, too. */
TM_INLINE void tm_edge_add(tm_edge *edge) {
  if (TM_UNLIKELY(tm_fibres_on)) __tsan_release((void *)(uintptr_t)&edge->word);
}
/* The edge ends here: this strand comes after all its beginnings. */
TM_INLINE void tm_edge_end(tm_edge *edge) {
  if (TM_UNLIKELY(tm_fibres_on) && edge) __tsan_acquire((void *)(uintptr_t)&edge->word);
}
/* The same on an object of the program's, in memory that TSan sees being freed. */
TM_INLINE void tm_order_add(const void *object) {
  if (TM_UNLIKELY(tm_fibres_on) && object) __tsan_release((void *)(uintptr_t)object);
}
TM_INLINE void tm_order_end(const void *object) {
  if (TM_UNLIKELY(tm_fibres_on) && object) __tsan_acquire((void *)(uintptr_t)object);
}
#endif
