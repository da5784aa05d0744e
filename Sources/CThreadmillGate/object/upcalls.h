/* The functions of higher floors that the object floor calls. */
#ifndef TM_OBJECT_UPCALLS_H
#define TM_OBJECT_UPCALLS_H

/* The function that libdispatch calls when a hop lands; it marks what it carries as a hop. */
void tm_hop_land(void *hop);
#endif
