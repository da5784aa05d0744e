/* What was said once per place is not said again. */
#ifndef TM_NEWS_H
#define TM_NEWS_H
#include "state.h"

/* Whether nobody asked with this number before; never again once a good many have been. */
bool tm_is_news(uint64_t number);
#endif
