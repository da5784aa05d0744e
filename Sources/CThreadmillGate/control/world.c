#ifdef __linux__
#include "ground/base.h"
#include "control/world.h"
#include "control/model.h"
#include "ground/real.h"

struct tm_real tm_uncontrolled;
tm_world tm_world_now;

TM_GATE_CODE_BEGIN

static uint32_t body_over_in; /* the schedule whose body has come to its end */

void tm_control_body_over(void) { body_over_in = tm_control_schedule(); }
bool tm_control_is_body_over(void) { return body_over_in == tm_control_schedule(); }

TM_GATE_CODE_END

#endif
