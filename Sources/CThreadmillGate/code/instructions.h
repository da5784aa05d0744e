/* Reads the instructions between a call and an exchange. Tells the exchanged word's address, and
 * the thread's own variable that gets the call's result. */
#ifndef TM_INSTRUCTIONS_H
#define TM_INSTRUCTIONS_H
#include "ground/base.h"
#include "code/inlined_lock.h"

enum { TM_NO_REGISTER = 0xff };

/* A number that can be computed from the registers at the call: `base` + `at`, or the word at that
 * address. */
typedef struct tm_term {
  uint8_t base;
  bool loads;
  uintptr_t at;
} tm_term;

typedef enum tm_recipe_kind {
  TM_RECIPE_UNKNOWN, /* the code is not understood */
  TM_RECIPE_OTHER,   /* the code exchanges no 0 for the number */
  TM_RECIPE_LOCK,
} tm_recipe_kind;

/* The address: one term, or the sum of two, of which the second is shifted. `cache`: the distance
 * of the thread's own variable that gets the number; 0: there is none (own_variables.h). */
typedef struct tm_recipe {
  tm_recipe_kind kind;
  bool is_sum;
  uint8_t scale;
  uintptr_t plus;
  tm_term terms[2];
  uintptr_t cache;
} tm_recipe;

tm_recipe tm_recipe_read(uintptr_t returns_to, const tm_registers *);
#endif
