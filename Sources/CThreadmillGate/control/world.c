#ifdef __linux__
#include "ground/base.h"
#include "control/world.h"
#include "control/model.h"
#include "ground/real.h"

struct tm_real tm_uncontrolled;
tm_world tm_world_now;

TM_GATE_CODE_BEGIN

static uint32_t over; /* the schedule whose body has come to its end */

void tm_control_body_over(void) { over = tm_control_schedule(); }
bool tm_control_is_body_over(void) { return over == tm_control_schedule(); }

TM_GATE_CODE_END

#endif
