/* Classes of quality of service as libdispatch numbers them; they can be compared. On Linux
 * libdispatch makes user-interactive queues user-initiated ones, so the two are one here. */
#ifndef TM_QUALITY_H
#define TM_QUALITY_H
#include "ground/base.h"
#include <stdint.h>

enum { TM_BACKGROUND = 0x09, TM_UTILITY = 0x11, TM_DEFAULT = 0x15, TM_USER_INITIATED = 0x19 };
TM_INLINE uint8_t tm_quality(unsigned qos) {
  return qos > TM_USER_INITIATED ? TM_USER_INITIATED : (uint8_t)qos;
}
#endif
