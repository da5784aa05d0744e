/* What the gate wrote down, and what the unwinder says, for a program that compares the two. */
#ifndef FRAME_PROBE_H
#define FRAME_PROBE_H
#include <stdbool.h>
#include <stdint.h>

/* A moment in a function: its stack, its own frame first, by the unwinder; and how often the gate
 * has asked the unwinder on this thread so far. */
enum { FRAME_PROBE_STACK = 8 };
typedef struct frame_probe_moment {
  uintptr_t stack[FRAME_PROBE_STACK];
  uint32_t asked;
} frame_probe_moment;

/* From here on it is counted how often the gate asks the unwinder. False: there is none. */
bool frame_probe_begin(void);
/* The caller's moment. */
void frame_probe_note(frame_probe_moment *_Nonnull moment);

enum { FRAME_PROBE_SITE = 4 };
/* Where the work that runs here was submitted, innermost first, as the gate has it. */
void frame_probe_submitted(uintptr_t site[_Nonnull FRAME_PROBE_SITE]);
/* Calls the body from one of so many places, each of which is a stack of its own. */
enum { FRAME_PROBE_PLACES = 256 };
void frame_probe_call_from(uint8_t place, void (*_Nonnull body)(void *_Nonnull context),
                           void *_Nonnull context);
/* Whether the address lies in a library of which the file's name begins like this. */
bool frame_probe_is_in(const char *_Nonnull library, uintptr_t address);
#endif
