/* Foundation's operations. */
#ifndef TM_OPERATIONS_H
#define TM_OPERATIONS_H

/* Takes over the methods of Foundation's own operation classes. Called once, before there are other
 * threads. */
void tm_operations_prepare(void);
#endif
