/* The files of this floor, compiled at once. Generated: scripts/lib/floors --write */
#include "shake/near.c"
#include "shake/order.c"
#include "shake/plan.c"
#include "shake/shake.c"
