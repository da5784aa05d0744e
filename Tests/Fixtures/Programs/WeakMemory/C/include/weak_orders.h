/* Two words of C11's, of which one says that the other is there. */
#ifndef WEAK_ORDERS_H
#define WEAK_ORDERS_H
#include <stdbool.h>

typedef struct weak_pair weak_pair;
weak_pair *weak_pair_make(void);
void weak_pair_free(weak_pair *);
/* Stores 42 and then the flag; `releases`: by a releasing fence between them. */
void weak_send(weak_pair *, bool releases);
/* Returns the payload, or 42 if the flag is not there. */
int weak_receive(weak_pair *);
#endif
