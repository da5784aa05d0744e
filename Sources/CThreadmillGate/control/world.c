#ifdef __linux__
#include "ground/base.h"
#include "control/world.h"
#include "control/model.h"
#include "ground/real.h"

struct tm_real tm_uncontrolled;
tm_world tm_world_now;

#endif
