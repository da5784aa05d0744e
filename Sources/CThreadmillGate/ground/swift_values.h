/* Reads Swift's strings and arrays. Their layouts are compared with samples at start-up. */
#ifndef TM_SWIFT_VALUES_H
#define TM_SWIFT_VALUES_H
#include "ground/base.h"
#include "threadmill_layouts.h"

/* Copies a string of at most 15 bytes, and returns its length; 0 if it is longer, empty or
 * unreadable. */
uint32_t tm_string_small(tm_string_words, char text[16]);
/* Writes at `at` as much of the string as there is room for, and returns where it ends. A string
 * of a kind that the gate does not read is left out. */
uint32_t tm_string_append(tm_string_words, char *text, uint32_t at, uint32_t size);
/* The same for text that is no string. */
uint32_t tm_text_append(const char *more, uint64_t length, char *text, uint32_t at, uint32_t size);

/* An array of objects; an array that cannot be read is empty. */
uint64_t tm_array_count(const void *array);
const void *tm_array_element(const void *array, uint64_t index);
#endif
