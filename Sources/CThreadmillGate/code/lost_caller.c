#ifdef __linux__
#include "ground/base.h"
#include "code/lost_caller.h"
#include "code/caller.h"
#include "code/code_kind.h"
#include "ground/kernel.h"
#include "ground/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

#if defined(__x86_64__)

enum { SEARCHED = 16 /* words of such a function's frame: it saves a register or two */ };

/* Returns the target of a jump or call, direct or through a slot. */
static uintptr_t through_slot(uintptr_t next, const unsigned char offset[4]) {
  int32_t distance;
  uintptr_t target = 0;
  tm_copy(&distance, offset, sizeof distance);
  return tm_peek((const void *)(next + (intptr_t)distance), &target, sizeof target) ? target : 0;
}

static uintptr_t straight(uintptr_t next, const unsigned char offset[4]) {
  int32_t distance;
  tm_copy(&distance, offset, sizeof distance);
  return next + (intptr_t)distance;
}

/* Returns the target of the call that returns to this address, looking through the stub of a call
 * into another library; 0 if there is no call. */
static uintptr_t called_before(uintptr_t address) {
  static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
  unsigned char code[6], stub[11];
  if (!tm_peek((const void *)(address - sizeof code), code, sizeof code)) return 0;
  if (code[0] == 0xff && code[1] == 0x15) return through_slot(address, code + 2);
  if (code[1] != 0xe8) return 0;
  uintptr_t target = straight(address, code + 2);
  if (!tm_peek((const void *)target, stub, sizeof stub)) return target;
  size_t at = tm_same(stub, landing, sizeof landing) ? sizeof landing : 0;
  if (stub[at] == 0xf2) at++;
  bool jumps = stub[at] == 0xff && stub[at + 1] == 0x25;
  return jumps ? through_slot(target + at + 6, stub + at + 2) : target;
}

uintptr_t tm_lost_caller(const tm_thread *t, void *frame, const uintptr_t *stack, uint32_t count) {
  tm_location callee;
  const uintptr_t *words = frame;
  if (!tm_is_overlay_code(stack[0]) || !tm_locate(stack[0], &callee) || !callee.symbol) return 0;
  if (count > 1 && called_before(stack[1]) == callee.start) return 0;
  for (uint32_t i = 2; i < SEARCHED && (uintptr_t)(words + i + 1) <= t->code.stack_top; i++)
    if (tm_is_code(words[i]) && called_before(words[i]) == callee.start) return words[i];
  return 0;
}

#else

uintptr_t tm_lost_caller(const tm_thread *t, void *frame, const uintptr_t *stack, uint32_t count) {
  return (void)t, (void)frame, (void)stack, (void)count, 0;
}

#endif

TM_GATE_CODE_END
#endif
