/* Foundation's operations. */
#ifndef TM_OPERATIONS_H
#define TM_OPERATIONS_H

/* Takes over what the classes of Foundation itself do. Once, before there are other threads. */
void tm_operations_prepare(void);
#endif
