#ifdef __linux__
#include "ground/base.h"
#include "code/block_function.h"
#include "code/caller.h"
#include "ground/dispatch.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Swift wraps a closure in a block: its invocation is a thunk of the same image, its only captures
 * are the closure's two words, the function first. */
const void *tm_block_function(const void *block) {
  const tm_block *b = block;
  const void *thunk = (const void *)b->invoke, *const *captures = (const void *const *)(b + 1);
  bool closure =
      b->flags & TM_BLOCK_HAS_COPY_DISPOSE &&
      ((const tm_block_descriptor *)b->descriptor)->size == sizeof *b + 2 * sizeof *captures;
  tm_image of_thunk, of_closure;
  if (!closure || !tm_image_at((uintptr_t)thunk, &of_thunk)) return thunk;
  if (!tm_is_known_code((uintptr_t)captures[0])) return thunk;
  if (!tm_image_at((uintptr_t)captures[0], &of_closure)) return thunk;
  return of_closure.headers == of_thunk.headers ? captures[0] : thunk;
}

TM_GATE_CODE_END
#endif
