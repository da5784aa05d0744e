/* The files of this floor, compiled at once. Generated: scripts/lib/floors --write */
#include "seam/long_way.c"
#include "seam/plain.c"
#include "seam/point.c"
#include "seam/profiled.c"
#include "seam/run_hop.c"
#include "seam/run_item.c"
#include "seam/run_section.c"
#include "seam/semaphore_wait.c"
