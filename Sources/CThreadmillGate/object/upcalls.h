/* The functions of higher floors that the object floor calls. */
#ifndef TM_OBJECT_UPCALLS_H
#define TM_OBJECT_UPCALLS_H

/* The function that libdispatch calls when a hop lands; work with this function is a hop. */
void tm_hop_land(void *hop);
#endif
